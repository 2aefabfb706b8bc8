"""Scores how much a sentence reads as a claim of authority: a linear classifier over beginnings of words.

``bench/training/screening_model.py`` trains its weights.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.screening.homoglyphs import UNSPACED_LETTER, fold_homoglyphs, strip_marks

BIAS = "^"
"""The feature that every sentence has."""

_WORD = re.compile(r"\d+|[^\W\d_]+(?:'[^\W_]+)*")
_STEM_LENGTH = 6
_MAX_WORDS = 400


def claim_features(sentence: str) -> list[str]:
    """The features of a sentence, each once: its bias, and what each of its words adds."""
    return list(dict.fromkeys((BIAS, *itertools.chain.from_iterable(_features_by_word(sentence)))))


def claim_score(sentence: str) -> float:
    """The logarithm of the odds that a sentence is a claim; what it repeats counts once."""
    weights = load_weights("claim")
    return sum(weights.get(feature, 0.0) for feature in claim_features(sentence))


def part_score(sentence: str) -> float:
    """The score of the part with the greatest sum of weights: ordinary words around a claim take nothing from it."""
    weights = load_weights("claim")
    best = current = 0.0
    counted: set[str] = set()
    for features in _features_by_word(sentence):
        current += sum(weights.get(feature, 0.0) for feature in set(features) - counted)
        counted.update(features)
        if current <= 0:
            current = 0.0
            counted.clear()
        best = max(best, current)
    return weights[BIAS] + best


@lru_cache(maxsize=32)  # a sentence is scored as a whole and by its parts
def _features_by_word(sentence: str) -> tuple[tuple[str, str], ...]:
    """The beginning of each word, alone and after the one before it; in scripts without spaces, pairs of characters."""
    stems = list(_stems(sentence))
    return tuple((stem, f"{before} {stem}") for before, stem in zip([BIAS, *stems], stems, strict=False))


def _stems(sentence: str) -> Iterator[str]:
    for word in _WORD.findall(strip_marks(fold_homoglyphs(sentence.lower())))[:_MAX_WORDS]:
        if UNSPACED_LETTER.match(word):
            yield from (word[start : start + 2] for start in range(max(1, len(word) - 1)))
        else:
            yield "0" if word.isdigit() else word[:_STEM_LENGTH]
