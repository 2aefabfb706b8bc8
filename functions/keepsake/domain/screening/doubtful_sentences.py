"""Finds the sentences and clauses that words leave open, and decides about them by the scores of a classifier.

The classifiers of words come first. What they score far below their limits is left alone: to read a
sentence with a model takes a hundred times longer. Clauses are read beside their sentence, since an attack may stand
behind ordinary words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.secret_classifier import secret_score
from keepsake.domain.screening.sentences import read_clauses, read_sentences

MIN_CLAIM_SCORE, MIN_SECRET_SCORE = -2.5, -5.0
"""The least scores by words of a sentence that is left open."""

MAX_CLAIM_SCORE = 0.4
"""The greatest sum of both scores of a sentence that is no claim."""

MAX_CLAUSE_CLAIM_SCORE = 2.0
"""The greatest sum of both scores of a clause that is no claim: it says less, and there are many."""

MAX_SECRET_SCORE = 1.5
"""The greatest score of a sentence, or of a clause, that tells no secret."""

_MIN_WORDS = 4
"""Shorter sentences, such as "These are mine.", say too little."""

_MAX_SENTENCES = 12
"""So many sentences and clauses of one text are read, which bounds its time."""


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """A sentence or a clause that its words leave open, and its score as a claim by them."""

    text: str
    claim_score: float
    is_clause: bool = False


def doubtful_sentences(text: str) -> list[DoubtfulSentence]:
    """What the words of a text leave open, the sentences and clauses that read most like a claim if there are many."""
    found: dict[str, DoubtfulSentence] = {}
    for one in _scored_parts(text):
        if one.claim_score > MIN_CLAIM_SCORE or secret_score(one.text) > MIN_SECRET_SCORE:
            found.setdefault(one.text, one)
    return sorted(found.values(), key=lambda one: -one.claim_score)[:_MAX_SENTENCES]


def rejection_by_scores(sentence: DoubtfulSentence, *, claim: float, secret: float) -> str | None:
    """Why a text with this sentence may not be stored, by the scores of a classifier; None where it may."""
    if secret > MAX_SECRET_SCORE:
        return "secret"
    limit = MAX_CLAUSE_CLAIM_SCORE if sentence.is_clause else MAX_CLAIM_SCORE
    return "instruction" if sentence.claim_score + claim > limit else None


def _scored_parts(text: str) -> Iterator[DoubtfulSentence]:
    """The sentences of a text with their scores, then the clauses of each."""
    sentences = [sentence for sentence in read_sentences(text) if len(sentence.split()) >= _MIN_WORDS]
    for sentence in sentences:
        yield DoubtfulSentence(sentence, claim_score(sentence))
    for sentence in sentences:
        for clause in read_clauses(sentence):
            if len(clause.split()) >= _MIN_WORDS:
                yield DoubtfulSentence(clause, claim_score(clause), is_clause=True)
