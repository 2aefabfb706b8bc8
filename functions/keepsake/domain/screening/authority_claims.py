"""Recognizes claims of authority: what grants or cancels something in the service, by how its sentences read."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening.claim_classifier import claim_score, part_score
from keepsake.domain.screening.sentences import read_clauses, read_sentences

_WORDS = load_alternations("untold_people", __package__)
_UNTOLD = re.compile(rf" without (?:ever |even )?{_WORDS['untold']} {_WORDS['people']}\b", re.IGNORECASE)

MAX_SCORE = 0.6
"""The greatest score of a sentence that is no claim.

It is the same for every text: what would raise it, such as an exclamation mark, is what a claim would bring along.
"""

MAX_PART_SCORE = 4.5
"""The greatest score of a part of a sentence that is no claim: parts of many ordinary sentences read like one."""

MAX_CLAUSE_SCORE = 2.0
"""The greatest score of a clause that is no claim: one that stands alone says less, and there are many."""

_MAX_ORDINARY_SCORE = -0.5
"""Up to this score an address to somebody is conversation among people."""


MIN_CLEAR_SCORE = 3.0
"""Above this score hardly any sentence of people about themselves is found: what a capable model says is held to it."""


def clearly_claims_authority(memory: str) -> bool:
    """The same by what reads most like a claim: it refuses few true statements."""
    parts = (part for sentence in _sentences(memory) for part in (sentence, *read_clauses(sentence)))
    return any(claim_score(part) > MIN_CLEAR_SCORE for part in parts)


def claims_authority(memory: str) -> bool:
    """Whether a sentence of a memory grants, or cancels, something about the service or what protects other people.

    A memory tells of the person and their life, and nothing of rights that it gives in this service.
    """
    return any(map(_is_claim, _sentences(memory)))


def may_claim_authority(memory: str) -> bool:
    """Whether a sentence reads at least a little as a claim, so that "you" in it may be the assistant."""
    return any(claim_score(sentence) > _MAX_ORDINARY_SCORE for sentence in read_sentences(memory))


def _sentences(memory: str) -> list[str]:
    return read_sentences(_UNTOLD.sub("", memory))


def _is_claim(sentence: str) -> bool:
    """Whether a sentence reads as a claim, as a whole, by a part of it or by one of its clauses."""
    if claim_score(sentence) > MAX_SCORE or part_score(sentence) > MAX_PART_SCORE:
        return True
    return any(claim_score(clause) > MAX_CLAUSE_SCORE for clause in read_clauses(sentence))
