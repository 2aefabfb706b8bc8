"""Sensitive topics: statements about a person's health or money, recognized by word lists and by amounts of money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from keepsake.domain.english.load_word_lists import load_lines, load_words
from keepsake.domain.screening.financial_amounts import names_amount
from keepsake.domain.text import normalize_apostrophes, strip_invisible

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_BEFORE_A_PRACTITIONER = re.compile(
    r"\b(?:sees?|saw|seeing|seen|visits?|visiting|my|their|his|her|the|to an?|by an?|with an?|from an?)$", re.IGNORECASE
)
_PREFIX_LENGTH = 3
"""Letters by which prefixes are looked up."""
_MAX_PHRASE = 5
"""Words of a phrase."""


def is_sensitive_topic(text: str) -> bool:
    """Whether the text is about the health or the money of a person."""
    shown = normalize_apostrophes(strip_invisible(text))
    words = _TOKEN.findall(shown)
    phrases = _phrases(words)
    if not _ordinary().isdisjoint(phrases):
        words = _TOKEN.findall(_ordinary_pattern().sub(" ", " ".join(words)))
        phrases = _phrases(words)
    return (
        _names_a_topic(words) or not _topics().isdisjoint(phrases) or _sees_a_practitioner(words) or names_amount(shown)
    )


def _phrases(words: Sequence[str]) -> set[str]:
    """The words, and each few that stand together, in lower case."""
    folded = [word.casefold() for word in words]
    return {
        " ".join(folded[start : start + length]) for start in range(len(folded)) for length in range(1, _MAX_PHRASE + 1)
    }


def _names_a_topic(words: Sequence[str]) -> bool:
    prefixes = _prefixes()
    return any(
        folded.startswith(prefixes.get(folded[:_PREFIX_LENGTH], ())) for folded in map(str.casefold, words)
    ) or not _acronyms().isdisjoint(words)


def _sees_a_practitioner(words: list[str]) -> bool:
    """Whether a practitioner is mentioned as treating the person ("sees a therapist"), not as an occupation."""
    for index, word in enumerate(words):
        if word.casefold().removesuffix("s") in _practitioners():
            before = words[max(0, index - 3) : index]
            return any(_BEFORE_A_PRACTITIONER.search(" ".join(before[:end])) for end in range(1, len(before) + 1))
    return False


@cache
def _topics() -> frozenset[str]:
    return frozenset(" ".join(_TOKEN.findall(entry)) for entry in _topic_entries() if entry.islower())


@cache
def _prefixes() -> dict[str, tuple[str, ...]]:
    """The prefixes of words ("diabet*"), by their first letters."""
    found: dict[str, tuple[str, ...]] = {}
    for prefix in (entry.removesuffix("*") for entry in _topic_entries() if entry.endswith("*")):
        found[prefix[:_PREFIX_LENGTH]] = (*found.get(prefix[:_PREFIX_LENGTH], ()), prefix)
    return found


@cache
def _acronyms() -> frozenset[str]:
    return frozenset(entry for entry in _topic_entries() if not entry.islower())


def _topic_entries() -> tuple[str, ...]:
    return (*load_lines("health", __package__), *load_lines("finances", __package__))


@cache
def _ordinary() -> frozenset[str]:
    return load_words("ordinary", __package__)


@cache
def _ordinary_pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(_ordinary()))})\b", re.IGNORECASE)


@cache
def _practitioners() -> frozenset[str]:
    return load_words("practitioners", __package__)
