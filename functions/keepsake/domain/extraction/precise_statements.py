"""What the rules say beside a model: only what they read precisely, and nothing of what the check refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.memory import Candidate
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import normalize_words

_PRECISE = frozenset((*ANSWER_SLOTS, "name", "nickname", "allergy"))
"""Attributes of the author: names, allergies and answer preferences."""


def precise_statements(by_rules: Iterable[Candidate], refused_quotes: Sequence[str]) -> list[Candidate]:
    """The statements of rules that stand beside a model's; none of a clause from which the check refused one."""
    refused = [normalize_words(quote) for quote in refused_quotes if quote.strip()]
    return [one for one in by_rules if _is_precise(one) and not _overlaps(normalize_words(one.quote), refused)]


def _is_precise(candidate: Candidate) -> bool:
    key = parse_key(candidate.key)
    return key.kind == "fact" and key.subject == "self" and key.attribute in _PRECISE


def _overlaps(quote: str, refused: Sequence[str]) -> bool:
    return any(quote in other or other in quote for other in refused)
