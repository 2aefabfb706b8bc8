"""Screening: what may never become a memory, and what may only with little confidence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from keepsake.domain.instructions import reads_as_instruction
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.private_topics import is_private_topic
from keepsake.domain.credentials import Secret, find_secrets
from keepsake.domain.text import has_forbidden_characters

__all__ = ["Dropped", "Kept", "Secret", "find_secrets", "is_private_topic", "reads_as_instruction", "screen"]

MAX_PRIVATE_CONFIDENCE = 0.4
"""Medical and financial statements are never trusted further than this."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The candidate may be stored, as it stands here."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Dropped:
    """The candidate may not be stored; ``reason`` is a stable word for counting."""

    reason: str


def screen(candidate: Candidate) -> Kept | Dropped:
    """What is left of a candidate once nothing secret, private, commanding or malformed remains in it."""
    parts = [part for part in (candidate.text, candidate.quote, candidate.value, candidate.entity_label) if part]
    parts += [candidate.key or "", *candidate.entity_refs]
    if any(has_forbidden_characters(part) for part in parts):
        return Dropped("bad_characters")
    if len(candidate.text) > MAX_TEXT_LENGTH or not (candidate.text.strip() or candidate.retracts):
        return Dropped("bad_length")
    if any(find_secrets(part) for part in parts):
        return Dropped("secret")
    if any(reads_as_instruction(part) for part in parts):
        return Dropped("instruction")
    if is_private_topic(candidate.text) or is_private_topic(candidate.quote):
        return Kept(replace(candidate, confidence=min(candidate.confidence, MAX_PRIVATE_CONFIDENCE)))
    return Kept(candidate)
