"""What the rules say beside a model: only what they read precisely, and nothing of what the check refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.memory import Candidate
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import normalize_words

_NAMES = frozenset(("name", "nickname"))
_PRECISE = frozenset((*ANSWER_SLOTS, *_NAMES, "allergy"))
"""Attributes of the author: names, allergies and answer preferences."""


def precise_statements(
    by_rules: Iterable[Candidate], refused_quotes: Sequence[str], *, with_names: bool = True
) -> list[Candidate]:
    """The statements of rules that stand beside a model's; none of a clause from which the check refused one.

    Without names where a capable model noted nothing of the message: it may have seen that a film is quoted.
    """
    refused = [normalize_words(quote) for quote in refused_quotes if quote.strip()]
    attributes = _PRECISE if with_names else _PRECISE - _NAMES
    return [
        one for one in by_rules if _is_precise(one, attributes) and not _overlaps(normalize_words(one.quote), refused)
    ]


def _is_precise(candidate: Candidate, attributes: frozenset[str]) -> bool:
    key = parse_key(candidate.key)
    return key.kind == "fact" and key.subject == "self" and key.attribute in attributes


def _overlaps(quote: str, refused: Sequence[str]) -> bool:
    return any(quote in other or other in quote for other in refused)
