"""Tells which part of its author's life a sentence says has changed, by its words.

What is told by a picture has no phrase that a rule could know ("handed my apron in"). A linear model reads the
beginnings of words, which keep their tense, and pairs of neighbors; "not" is a word of its own.
``bench/training/change_model.py`` trains the weights.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import pairwise

from keepsake.domain.english.classifiers import load_class_weights
from keepsake.domain.text import normalize_apostrophes

BIAS = "^"
"""The feature that every sentence has."""
CLASSIFIER = "life_change"
"""The name of the classifier, whose classes are parts of life."""

MIN_PROBABILITY = 0.5
"""The least probability with which a sentence tells a change."""
MIN_COMPARED = 0.03
"""Of sentences below it, no memory is read: whatever they name, nothing has changed."""

_NO_CHANGE = "none"
_NOT = re.compile(r"\b(ca|wo|is|was|are|were|do|does|did|has|have|had|could|would|should|ai)n'?t\b")
_TOKEN = re.compile(r"'?[^\W\d_]+|\d+|[?!]")
_STEM_LENGTH = 6
_MAX_WORDS = 60


def stems_of(sentence: str) -> list[tuple[str, str]]:
    """The words of a sentence, "not" as one of its own, each with its beginning; all numbers are alike."""
    said = _NOT.sub(r"\1 not", normalize_apostrophes(sentence).lower())
    return [(token, "0" if token[0].isdigit() else token[:_STEM_LENGTH]) for token in _TOKEN.findall(said)[:_MAX_WORDS]]


def word_features(sentence: str) -> list[str]:
    """The features of a sentence, each once."""
    stems = [stem for _, stem in stems_of(sentence)]
    return list(dict.fromkeys((BIAS, *stems, *(f"{one}_{other}" for one, other in pairwise((BIAS, *stems, "$"))))))


def changed_parts(sentence: str, *, minimum: float = MIN_PROBABILITY) -> Mapping[str, float]:
    """The probability of each part of life that it has changed; empty where it is less likely that any has."""
    weights = load_class_weights(CLASSIFIER)
    scores = dict.fromkeys(weights[BIAS], 0.0)
    for feature in word_features(sentence):
        for part, weight in weights.get(feature, {}).items():
            scores[part] += weight
    greatest = max(scores.values())
    odds = {part: math.exp(score - greatest) for part, score in scores.items()}
    total = sum(odds.values())
    if odds.pop(_NO_CHANGE) > (1 - minimum) * total:
        return {}
    return {part: share / total for part, share in odds.items()}
