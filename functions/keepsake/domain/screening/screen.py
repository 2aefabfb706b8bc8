"""Screens candidates: drops secrets, prompt injection and malformed text; lowers the confidence of sensitive topics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.screening.financial_amounts import is_financial_amount
from keepsake.domain.screening.prompt_injection import addresses_model, claims_authority, is_prompt_injection
from keepsake.domain.screening.secret_detection import find_secrets, mentions_credential
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.text import has_forbidden_characters, strip_invisible

MIN_FRAGMENT = 4
"""The shortest fragment of a secret that counts as the secret."""

_CODE = re.compile(r"(?<![^\W\d])[^\W\d]*+\d\w{3,}")
_LETTERS_AND_DIGITS = re.compile(r"(?<!\S)(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,}")
_DIGITS = re.compile(r"(?<!\d)\d{4,8}(?!\d)")

MAX_SENSITIVE_CONFIDENCE = 0.4
"""Medical and financial statements are never trusted further than this."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The candidate may be stored, as it stands here."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Dropped:
    """The candidate may not be stored; ``reason`` is a stable word for counting."""

    reason: str


def screen(candidate: Candidate, *, message: str = "", may_contain_speech: bool = False) -> Accepted | Dropped:
    """Accept a candidate, with less confidence for a sensitive topic, or drop it with a reason.

    ``message`` is the whole message: a secret that it names is one also where the candidate leaves the name out.
    The text ``may_contain_speech`` of people who say "you" to each other.
    """
    parts = [part for part in (candidate.text, candidate.quote, candidate.value, candidate.entity_label) if part]
    parts += [candidate.key or "", *map(_spaced, candidate.entity_refs)]
    parts += [part for part in (candidate.entity_type, candidate.persona_id) if part]
    if any(has_forbidden_characters(part) for part in parts):
        return Dropped("bad_characters")
    if len(candidate.text) > MAX_TEXT_LENGTH or not (candidate.text.strip() or candidate.retracts):
        return Dropped("bad_length")
    if (
        any(map(find_secrets, dict.fromkeys(parts)))
        or _repeats_a_secret(parts, message)
        or _may_be_credential(candidate, message)
    ):
        return Dropped("secret")
    if (
        any(map(is_prompt_injection, dict.fromkeys(parts)))
        or addresses_model(candidate.text, may_contain_speech=may_contain_speech)
        or claims_authority(candidate.text)
    ):
        return Dropped("instruction")
    return _screen_topics(candidate)


def _screen_topics(candidate: Candidate) -> Accepted | Dropped:
    """Drop a financial amount; trust a sensitive topic little."""
    if is_financial_amount(candidate.text) or is_financial_amount(candidate.quote):
        return Dropped("financial_amount")
    if is_sensitive_topic(candidate.text) or is_sensitive_topic(candidate.quote):
        return Accepted(replace(candidate, confidence=min(candidate.confidence, MAX_SENSITIVE_CONFIDENCE)))
    return Accepted(candidate)


def rejection_of_text(text: str) -> str | None:
    """Why a short text, such as a name or a place, may not be stored, as a stable word; None where it may."""
    if has_forbidden_characters(text):
        return "bad_characters"
    shown = _spaced(text)
    if any(secret.kind != "token" for secret in (*find_secrets(text), *find_secrets(shown))):
        return "secret"
    if is_prompt_injection(shown) or addresses_model(shown) or claims_authority(shown):
        return "instruction"
    return "financial_amount" if is_financial_amount(shown) else None


def _spaced(name: str) -> str:
    """A name whose words are joined by underscores, with blanks between them."""
    return name.replace("_", " ")


def _repeats_a_secret(parts: Sequence[str], message: str) -> bool:
    """Whether any part contains a secret of the message, or a fragment of one."""
    visible = strip_invisible(message)
    fragments: set[str] = set()
    for secret in find_secrets(message):
        value = visible[secret.start : secret.end].casefold()
        fragments |= {value.strip(" .,;:!?\"'"), *_CODE.findall(value)}
    return any(
        fragment in strip_invisible(part).casefold()
        for part in parts
        for fragment in fragments
        if len(fragment) >= MIN_FRAGMENT
    )


def _may_be_credential(candidate: Candidate, message: str) -> bool:
    """Whether a candidate from a message about a password contains something that could be it."""
    own_text = f"{candidate.text} {candidate.quote}"
    if mentions_credential(own_text) and _DIGITS.search(own_text):
        return True
    return (
        mentions_credential(message) and (_LETTERS_AND_DIGITS.search(own_text) or _DIGITS.search(own_text)) is not None
    )
