"""Tells which part of its author's life a sentence says has changed: linear models over its words and its vector.

It stands beside the rules for changes, which know whole phrases: what is told by a picture has none of them ("handed my
apron in"). Words are always there; the vector is where the process has an embedding model, and both scores are added.
``bench/change_model.py`` trains the weights, those of vectors for one model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul

from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.merging.changes.life_change_words import UNIT, word_scores

MODEL = "all-MiniLM-L6-v2"
"""The embedding model whose vectors the weights are for."""
MIN_PROBABILITY = 0.6
"""The least probability with which a sentence tells a change."""

_NO_CHANGE = "none"


def changed_parts(sentence: str, vector: Sequence[float] | None = None) -> Mapping[str, float]:
    """The probability of each part of life that it has changed; empty where it is likely that none has."""
    scores = word_scores(sentence)
    if vector is not None:
        for part, (bias, weights) in _weights_of_vectors().items():
            scores[part] += bias + sum(map(mul, weights, vector))
    greatest = max(scores.values())
    odds = {part: math.exp(score - greatest) for part, score in scores.items()}
    total = sum(odds.values())
    if odds.pop(_NO_CHANGE) > (1 - MIN_PROBABILITY) * total:
        return {}
    return {part: share / total for part, share in odds.items()}


@cache
def _weights_of_vectors() -> dict[str, tuple[float, tuple[float, ...]]]:
    """Of each part the bias and the weight of each dimension."""
    lines = load_pairs("life_change_weights", __package__)
    read = {part: tuple(int(number) / UNIT for number in line.split()) for part, line in lines.items()}
    return {part: (numbers[0], numbers[1:]) for part, numbers in read.items()}
