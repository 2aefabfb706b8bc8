"""Screening: what may never become a memory, and what may only with little confidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.screening.prompt_injection import reads_as_instruction
from keepsake.domain.screening.secret_detection import Secret, find_secrets, names_a_credential
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.text import has_forbidden_characters, strip_invisible

__all__ = ["Dropped", "Kept", "Secret", "find_secrets", "reads_as_instruction", "screen"]

MIN_PIECE = 4
"""Characters from which on a piece of a secret gives it away."""

_CODED = re.compile(r"(?<![^\W\d])[^\W\d]*+\d\w{3,}")
_MIXED = re.compile(r"(?<!\S)(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,}")
_DIGITS = re.compile(r"(?<!\d)\d{4,8}(?!\d)")

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


def screen(candidate: Candidate, *, said: str = "") -> Kept | Dropped:
    """What is left of a candidate once nothing secret, private, commanding or malformed remains in it.

    ``said`` is the whole message: what it names as a secret is one also where the candidate leaves the name out.
    """
    parts = [part for part in (candidate.text, candidate.quote, candidate.value, candidate.entity_label) if part]
    parts += [candidate.key or "", *candidate.entity_refs]
    if any(has_forbidden_characters(part) for part in parts):
        return Dropped("bad_characters")
    if len(candidate.text) > MAX_TEXT_LENGTH or not (candidate.text.strip() or candidate.retracts):
        return Dropped("bad_length")
    if any(find_secrets(part) for part in parts) or _repeats_a_secret(parts, said) or _may_be_one(candidate, said):
        return Dropped("secret")
    if any(reads_as_instruction(part) for part in parts):
        return Dropped("instruction")
    if is_sensitive_topic(candidate.text) or is_sensitive_topic(candidate.quote):
        return Kept(replace(candidate, confidence=min(candidate.confidence, MAX_PRIVATE_CONFIDENCE)))
    return Kept(candidate)


def _repeats_a_secret(parts: Sequence[str], said: str) -> bool:
    """Whether any part holds a secret of the message, or a piece of its numbers."""
    seen = strip_invisible(said)
    telling: set[str] = set()
    for secret in find_secrets(said):
        value = seen[secret.start : secret.end].casefold()
        telling |= {value.strip(" .,;:!?\"'"), *_CODED.findall(value)}
    return any(
        piece in strip_invisible(part).casefold() for part in parts for piece in telling if len(piece) >= MIN_PIECE
    )


def _may_be_one(candidate: Candidate, said: str) -> bool:
    """Whether a message that speaks of a password left something in the candidate that could be it."""
    own = f"{candidate.text} {candidate.quote}"
    if names_a_credential(own) and _DIGITS.search(own):
        return True
    return names_a_credential(said) and (_MIXED.search(own) or _DIGITS.search(own)) is not None
