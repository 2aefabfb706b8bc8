"""Sensitive topics: statements about a person's health or money, recognized by word lists and by amounts of money."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from keepsake.domain.english.load_word_lists import load_lines, load_words
from keepsake.domain.text import normalize_apostrophes, strip_invisible

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_BEFORE_A_PRACTITIONER = re.compile(
    r"\b(?:sees?|saw|seeing|seen|visits?|visiting|my|their|his|her|the|to an?|by an?|with an?|from an?)$", re.IGNORECASE
)
_PERIOD = r"(?:an?|per|each|every) (?:hour|day|week|month|year)"
_MONEY = (
    r"(?:[$€£]\s?\d[\d.,]*\s?(?:k|m|thousand|million)?"
    r"|\d[\d.,]*\s?(?:k|m|thousand|million|grand)?\s?(?:dollars?|euros?|pounds?|francs?|bucks|usd|eur|gbp|chf)"
    r"|\d[\d.,]*\s?(?:k|grand)|half a million|a million)"
)
_INCOME_VERBS = r"(?:earn|make|get)(?:s|ing)?|earned|made|got"
_MONEY_VERBS = (
    r"owe[sd]?|owing|pa(?:y|ys|id|ying)|sav(?:e|es|ed|ing)|los(?:e|es|t|ing)|borrow(?:s|ed|ing)?|inherit(?:s|ed)?|"
    r"invest(?:s|ed|ing)?|lent|lends?|raise|rent|won|has|have|had"
)
_MAY_BE_AMOUNT = re.compile(r"\d|million", re.IGNORECASE)
_AMOUNT = re.compile(
    rf"\b(?:{_INCOME_VERBS}|{_MONEY_VERBS})\b(?: [\w',.]+){{0,4}}? {_MONEY}(?!\w)"
    rf"|\b(?:earn(?:s|ed|ing)?|owe[sd]?) (?:\w+ ){{0,2}}\d[\d.,]*(?: {_PERIOD}|[.!]?$)"
    rf"|\b(?:pa(?:y|ys|id|ying)) (?:\w+ ){{0,2}}\d[\d.,]* {_PERIOD}",
    re.IGNORECASE,
)
_PREFIX_LENGTH = 3
"""Letters by which prefixes are looked up."""


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
    ordinary = {index for found in _ordinary_phrases().find([word.casefold() for word in words]) for index in found}
    return [word for index, word in enumerate(words) if index not in ordinary]


def _names_a_topic(words: list[str]) -> bool:
    folded = [word.casefold() for word in words]
    prefixes, acronyms = _prefixes(), _acronyms()
    return (
        any(word.startswith(prefixes.get(word[:_PREFIX_LENGTH], ())) for word in folded)
        or any(word in acronyms for word in words)
        or next(_sensitive_phrases().find(folded), None) is not None
    )


def _names_an_amount(text: str) -> bool:
    return _MAY_BE_AMOUNT.search(text) is not None and _AMOUNT.search(text) is not None


def _sees_a_practitioner(words: list[str]) -> bool:
    """Whether a practitioner is mentioned as treating the person ("sees a therapist"), not as an occupation."""
    for index, word in enumerate(words):
        if word.casefold().removesuffix("s") in _practitioners():
            before = words[max(0, index - 3) : index]
            return any(_BEFORE_A_PRACTITIONER.search(" ".join(before[:end])) for end in range(1, len(before) + 1))
    return False


@cache
def _sensitive_phrases() -> _Phrases:
    return _Phrases.of(entry for entry in _topic_entries() if not entry.endswith("*") and entry.islower())


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
def _ordinary_phrases() -> _Phrases:
    return _Phrases.of(load_lines("ordinary", __package__))


@cache
def _practitioners() -> frozenset[str]:
    return load_words("practitioners", __package__)
