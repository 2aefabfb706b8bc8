"""Recognizes claims of authority, by how their sentences read, and selects what a slower classifier may read too.

A memory tells of the person and their life, and nothing of rights that it gives in this service.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.screening.readable_text import read_clauses, read_sentences
from keepsake.domain.screening.sentence_scores import claim_score, part_score, secret_score

_MAX_SCORE, _MAX_PART_SCORE, _MAX_CLAUSE_SCORE = 0.6, 4.5, 2.0
"""The greatest scores of a sentence, of a part and of a clause of one that is no claim.

They are the same for every text: what would raise them, such as an exclamation mark, is what a claim would bring along.
"""

_MIN_CLEAR_SCORE = 3.0
"""Above this score hardly any sentence of people about themselves is found: what a capable model says is held to it."""

MIN_CLAIM_SCORE, MIN_SECRET_SCORE = -2.5, -5.0
"""The least scores by words of a sentence that is left open: to read one with a model takes a hundred times longer."""

MAX_JOINT_SCORE, MAX_JOINT_CLAUSE_SCORE = 0.4, 2.0
"""The greatest sum of both scores of a sentence, and of a clause, that is no claim."""

MAX_SECRET_SCORE = 1.5
"""The greatest score of a sentence, or of a clause, that tells no secret."""

_MIN_WORDS, _MAX_SENTENCES = 4, 12
"""Shorter sentences say too little; so many sentences and clauses of one text are read, which bounds its time."""


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """A sentence or a clause that its words leave open, and its score as a claim by them."""

    text: str
    claim_score: float
    is_clause: bool = False


def claims_authority(memory: str) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people."""
    return any(map(_is_claim, read_sentences(memory)))


def _is_claim(sentence: str) -> bool:
    """Whether a sentence reads as a claim, as a whole, by a part of it or by one of its clauses."""
    if claim_score(sentence) > _MAX_SCORE or part_score(sentence) > _MAX_PART_SCORE:
        return True
    return any(claim_score(clause) > _MAX_CLAUSE_SCORE for clause in read_clauses(sentence))


def clearly_claims_authority(memory: str) -> bool:
    """The same by what reads most like a claim: it refuses few true statements."""
    parts = (part for sentence in read_sentences(memory) for part in (sentence, *read_clauses(sentence)))
    return any(claim_score(part) > _MIN_CLEAR_SCORE for part in parts)


def doubtful_sentences(text: str) -> list[DoubtfulSentence]:
    """What the words of a text leave open, the sentences and clauses that read most like a claim if there are many.

    Clauses are read beside their sentence, since an attack may stand behind ordinary words.
    """
    found: dict[str, DoubtfulSentence] = {}
    for one in _scored_parts(text):
        if one.claim_score > MIN_CLAIM_SCORE or secret_score(one.text) > MIN_SECRET_SCORE:
            found.setdefault(one.text, one)
    return sorted(found.values(), key=lambda one: -one.claim_score)[:_MAX_SENTENCES]


def _scored_parts(text: str) -> Iterator[DoubtfulSentence]:
    """The sentences of a text with their scores, then the clauses of each."""
    sentences = [sentence for sentence in read_sentences(text) if len(sentence.split()) >= _MIN_WORDS]
    yield from (DoubtfulSentence(sentence, claim_score(sentence)) for sentence in sentences)
    for clause in (clause for sentence in sentences for clause in read_clauses(sentence)):
        if len(clause.split()) >= _MIN_WORDS:
            yield DoubtfulSentence(clause, claim_score(clause), is_clause=True)


def rejection_by_scores(sentence: DoubtfulSentence, *, claim: float, secret: float) -> str | None:
    """Why a text with this sentence may not be stored, by the scores of a classifier; None where it may."""
    if secret > MAX_SECRET_SCORE:
        return "secret"
    limit = MAX_JOINT_CLAUSE_SCORE if sentence.is_clause else MAX_JOINT_SCORE
    return "instruction" if sentence.claim_score + claim > limit else None
