"""Finds the sentences that words leave open, and decides about them by the scores of a classifier of sentences.

The lists and the classifiers of words come first. What they score far below their limits is left alone: to read a
sentence with a model takes a hundred times longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from keepsake.domain.screening.authority_claims import read_sentences
from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.secret_classifier import secret_score

MIN_CLAIM_SCORE, MIN_SECRET_SCORE = -2.5, -5.0
"""The least scores by words of a sentence that is left open."""

MAX_CLAIM_SCORE = 0.4
"""The greatest sum of both scores of a sentence that is no claim."""

MAX_SECRET_SCORE = 2.0
"""The greatest score of a sentence that tells no secret."""

_MIN_WORDS = 4
"""Shorter sentences, such as "These are mine.", say too little."""

_MAX_SENTENCES = 8
"""So many of one text are read, which bounds its time."""


@dataclass(frozen=True, slots=True)
class DoubtfulSentence:
    """A sentence that its words leave open, and its score as a claim by them."""

    text: str
    claim_score: float


def doubtful_sentences(text: str) -> list[DoubtfulSentence]:
    """The sentences of a text that its words leave open, those that read most like a claim if there are many."""
    found = []
    for sentence in read_sentences(text):
        if len(sentence.split()) < _MIN_WORDS:
            continue
        score = claim_score(sentence)
        if score > MIN_CLAIM_SCORE or secret_score(sentence) > MIN_SECRET_SCORE:
            found.append(DoubtfulSentence(sentence, score))
    return sorted(found, key=lambda one: -one.claim_score)[:_MAX_SENTENCES]


def rejection_by_scores(sentence: DoubtfulSentence, *, claim: float, secret: float) -> str | None:
    """Why a text with this sentence may not be stored, by the scores of a classifier; None where it may."""
    if secret > MAX_SECRET_SCORE:
        return "secret"
    return "instruction" if sentence.claim_score + claim > MAX_CLAIM_SCORE else None
