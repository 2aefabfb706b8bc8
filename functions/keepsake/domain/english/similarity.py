"""Compares two statements: their similarity in wording, and differences that change the meaning."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.word_groups import NUMBERS_AND_TIMES
from keepsake.domain.text import normalize_apostrophes, normalize_words, stem, words

_MIN_RATIO = 85

_WORDS = load_sections("similarity")
_NEGATIONS = frozenset(_WORDS["negations"])
_STOP_WORDS = frozenset(_WORDS["stop_words"])
_SYNONYMS = {
    "love": "like", "enjoy": "like", "adore": "like", "colour": "color", "favourite": "favorite", "detest": "hate",
}  # fmt: skip
_CAPITALIZED = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]*")


def difference(one: str, other: str) -> str | None:
    """What differs: ``numbers``, ``negation``, ``kinship``, ``names`` or ``words``; None where nothing does."""
    left, right = words(one), words(other)
    for kind, read in (("numbers", _number), ("negation", _negation), ("kinship", kinship_of)):
        if sorted(filter(None, map(read, left))) != sorted(filter(None, map(read, right))):
            return kind
    if proper_names(one) - set(right) or proper_names(other) - set(left):
        return "names"
    ours, theirs = content_words(one), content_words(other)
    return "words" if ours - theirs and theirs - ours else None


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts have nearly the same wording, without a difference that changes the meaning."""
    ratio = fuzz.ratio(normalize_words(one), normalize_words(other), score_cutoff=_MIN_RATIO)
    return ratio > _MIN_RATIO and difference(one, other) is None


def _number(word: str) -> str | None:
    return word if word in NUMBERS_AND_TIMES or any(map(str.isdigit, word)) else None


def _negation(word: str) -> str | None:
    return word if word in _NEGATIONS else None


def proper_names(text: str) -> set[str]:
    """The words with a capital letter that do not begin a sentence, in lower case."""
    return {word for name in _CAPITALIZED.findall(normalize_apostrophes(text)) for word in words(name)}


def content_words(text: str) -> set[str]:
    """The stems of the words of a text that carry its meaning, with synonyms and relatives under one word."""
    return {
        kinship_of(word) or _SYNONYMS.get(stemmed := stem(word), stemmed)
        for word in words(text)
        if word not in _STOP_WORDS
    }
