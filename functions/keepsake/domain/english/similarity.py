"""Compares two statements: their similarity in wording, and differences that change the meaning."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.number_words import NUMBER_WORDS, TENS
from keepsake.domain.text import normalize_apostrophes, normalize_words, stem, words

_MIN_SIMILARITY = 0.85

_WORDS = {section: frozenset(entries) for section, entries in load_sections("similarity").items()}
_NUMBERS = _WORDS["numbers"].union(
    NUMBER_WORDS, TENS, WEEKDAYS, (f"{day}s" for day in WEEKDAYS), map(str.lower, MONTHS)
)

_SYNONYMS = {
    "love": "like", "enjoy": "like", "adore": "like", "colour": "color", "favourite": "favorite", "detest": "hate",
}  # fmt: skip
_CAPITALIZED = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]*")


def similarity(one: str, other: str) -> float:
    """The similarity of two texts in wording, from 0 to 1, in normalized form."""
    return fuzz.ratio(normalize_words(one), normalize_words(other), score_cutoff=_MIN_SIMILARITY * 100) / 100


def difference(one: str, other: str) -> str | None:
    """What differs: ``numbers``, ``negation``, ``kinship``, ``names`` or ``words``; None where nothing does."""
    left, right = words(one), words(other)
    for kind, known in (("numbers", _NUMBERS), ("negation", _WORDS["negations"])):
        if _words_in(left, known, kind) != _words_in(right, known, kind):
            return kind
    if _kinship_terms(left) != _kinship_terms(right):
        return "kinship"
    if proper_names(one) - set(right) or proper_names(other) - set(left):
        return "names"
    return "words" if _differ_in_content_words(left, right) else None


def says_the_same(one: str, other: str) -> bool:
    """Whether the similarity of the texts is over 0.85, without a difference that changes the meaning."""
    return similarity(one, other) > _MIN_SIMILARITY and difference(one, other) is None


def _words_in(tokens: list[str], known: frozenset[str], kind: str) -> list[str]:
    digits = kind == "numbers"
    return sorted(
        token for token in tokens if token in known or (digits and any(character.isdigit() for character in token))
    )


def _kinship_terms(tokens: list[str]) -> list[str]:
    return sorted(relation for token in tokens if (relation := kinship_of(token)))


def proper_names(text: str) -> set[str]:
    """The words with a capital letter that do not begin a sentence, in lower case."""
    return {word for name in _CAPITALIZED.findall(normalize_apostrophes(text)) for word in words(name)}


def _differ_in_content_words(left: list[str], right: list[str]) -> bool:
    """Whether each text has a content word that the other lacks."""
    ours, theirs = _stems(left), _stems(right)
    return bool(ours - theirs) and bool(theirs - ours)


def content_words(text: str) -> set[str]:
    """The stems of the words of a text that carry its meaning, with synonyms and relatives under one word."""
    return _stems(words(text))


def _stems(tokens: list[str]) -> set[str]:
    return {
        kinship_of(token) or _SYNONYMS.get(stemmed := stem(token), stemmed)
        for token in tokens
        if token not in _WORDS["stop_words"]
    }
