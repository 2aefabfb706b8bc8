"""Tells which part of its author's life a sentence says has changed: a linear classifier over the sentence's vector.

It stands beside the rules for changes, which know words: what is told by a picture has none of them ("handed my apron
in"). ``bench/change_model.py`` trains its weights for the vectors of one model.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul

from keepsake.domain.english.load_word_lists import load_pairs

MODEL = "all-MiniLM-L6-v2"
"""The embedding model whose vectors the weights are for."""
MIN_PROBABILITY = 0.6
"""The least probability with which a sentence tells a change."""

_NO_CHANGE = "none"
_UNIT = 100
"""The weights are stored as whole hundredths."""


def changed_parts(vector: Sequence[float]) -> Mapping[str, float]:
    """The probability of each part of life that it has changed; empty where it is likely that none has."""
    scores = {part: bias + sum(map(mul, weights, vector)) for part, (bias, weights) in _weights().items()}
    greatest = max(scores.values())
    odds = {part: math.exp(score - greatest) for part, score in scores.items()}
    total = sum(odds.values())
    if odds.pop(_NO_CHANGE) > (1 - MIN_PROBABILITY) * total:
        return {}
    return {part: share / total for part, share in odds.items()}


@cache
def _weights() -> dict[str, tuple[float, tuple[float, ...]]]:
    """Of each part the bias and the weight of each dimension."""
    read = {part: tuple(int(number) / _UNIT for number in line.split()) for part, line in _lines().items()}
    return {part: (numbers[0], numbers[1:]) for part, numbers in read.items()}


def _lines() -> dict[str, str]:
    return load_pairs("life_change_weights", __package__)
