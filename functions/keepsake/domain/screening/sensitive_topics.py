"""Sensitive topics: statements about a person's health or money, recognized by word lists and by amounts of money."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from keepsake.domain.english.word_lists import load_lines, load_words
from keepsake.domain.text import normalize_apostrophes, strip_invisible

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_TALKS_TO = re.compile(
    r"\b(?:sees?|saw|seeing|seen|visits?|visiting|my|their|his|her|the|to an?|by an?|with an?|from an?)$", re.IGNORECASE
)
_PERIOD = r"(?:an?|per|each|every) (?:hour|day|week|month|year)"
_MONEY = (
    r"(?:[$€£]\s?\d[\d.,]*\s?(?:k|m|thousand|million)?"
    r"|\d[\d.,]*\s?(?:k|m|thousand|million|grand)?\s?(?:dollars?|euros?|pounds?|francs?|bucks|usd|eur|gbp|chf)"
    r"|\d[\d.,]*\s?(?:k|grand)|half a million|a million)"
)
_GETS = r"(?:earn|make|get)(?:s|ing)?|earned|made|got"
_HOLDS = (
    r"owe[sd]?|owing|pa(?:y|ys|id|ying)|sav(?:e|es|ed|ing)|los(?:e|es|t|ing)|borrow(?:s|ed|ing)?|inherit(?:s|ed)?|"
    r"invest(?:s|ed|ing)?|lent|lends?|raise|rent|won|has|have|had"
)
_MAY_BE_AMOUNT = re.compile(r"\d|million", re.IGNORECASE)
_AMOUNT = re.compile(
    rf"\b(?:{_GETS}|{_HOLDS})\b(?: [\w',.]+){{0,4}}? {_MONEY}(?!\w)"
    rf"|\b(?:earn(?:s|ed|ing)?|owe[sd]?) (?:\w+ ){{0,2}}\d[\d.,]*(?: {_PERIOD}|[.!]?$)"
    rf"|\b(?:pa(?:y|ys|id|ying)) (?:\w+ ){{0,2}}\d[\d.,]* {_PERIOD}",
    re.IGNORECASE,
)
_HEAD = 3
"""Letters by which beginnings of words are looked up."""


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Phrases of one or more words, by their first word and their length."""

    phrases: frozenset[str]
    lengths: Mapping[str, frozenset[int]]

    @classmethod
    def of(cls, entries: Iterable[str]) -> _Phrases:
        phrases = [_TOKEN.findall(entry) for entry in entries]
        lengths: dict[str, frozenset[int]] = {}
        for first, *rest in phrases:
            lengths[first] = lengths.get(first, frozenset()) | {len(rest) + 1}
        return cls(frozenset(map(" ".join, phrases)), lengths)

    def find(self, words: Sequence[str]) -> Iterator[range]:
        """Where the phrases stand, as ranges of words."""
        for start, word in enumerate(words):
            for length in self.lengths.get(word, ()):
                if " ".join(words[start : start + length]) in self.phrases:
                    yield range(start, start + length)


def is_sensitive_topic(text: str) -> bool:
    """Whether the text is about the health or the money of a person."""
    shown = normalize_apostrophes(strip_invisible(text))
    words = _without_ordinary(_TOKEN.findall(shown))
    return _names_a_topic(words) or _sees_a_practitioner(words) or _names_an_amount(shown)


def _without_ordinary(words: list[str]) -> list[str]:
    """The words without the phrases that only look sensitive ("blind date")."""
    hidden = {at for found in _ordinary().find([word.casefold() for word in words]) for at in found}
    return [word for at, word in enumerate(words) if at not in hidden]


def _names_a_topic(words: list[str]) -> bool:
    plain = [word.casefold() for word in words]
    beginnings, capitals = _beginnings(), _capitals()
    return (
        any(word.startswith(beginnings.get(word[:_HEAD], ())) for word in plain)
        or any(word in capitals for word in words)
        or next(_sensitive().find(plain), None) is not None
    )


def _names_an_amount(text: str) -> bool:
    return _MAY_BE_AMOUNT.search(text) is not None and _AMOUNT.search(text) is not None


def _sees_a_practitioner(words: list[str]) -> bool:
    """Whether somebody who treats people is spoken of as treating ("sees a therapist"), not as working."""
    for at, word in enumerate(words):
        if word.casefold().removesuffix("s") in _practitioners():
            before = words[max(0, at - 3) : at]
            return any(_TALKS_TO.search(" ".join(before[:end])) for end in range(1, len(before) + 1))
    return False


@cache
def _sensitive() -> _Phrases:
    return _Phrases.of(entry for entry in _entries() if not entry.endswith("*") and entry.islower())


@cache
def _beginnings() -> dict[str, tuple[str, ...]]:
    """The beginnings of words ("diabet*"), by their first letters."""
    found: dict[str, tuple[str, ...]] = {}
    for beginning in (entry.removesuffix("*") for entry in _entries() if entry.endswith("*")):
        found[beginning[:_HEAD]] = (*found.get(beginning[:_HEAD], ()), beginning)
    return found


@cache
def _capitals() -> frozenset[str]:
    return frozenset(entry for entry in _entries() if not entry.islower())


def _entries() -> tuple[str, ...]:
    return (*load_lines("health", __package__), *load_lines("finances", __package__))


@cache
def _ordinary() -> _Phrases:
    return _Phrases.of(load_lines("ordinary", __package__))


@cache
def _practitioners() -> frozenset[str]:
    return load_words("practitioners", __package__)
