"""Measures how similar an embedding model finds texts that have nothing in common.

Similarities of one model cannot be compared with those of another: unrelated texts have .05 with one and .75 with the
next. What counts as similar is therefore measured from there, in standard deviations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean, pstdev

from keepsake.domain.english.load_word_lists import load_sections

_TEXTS = load_sections("unrelated_texts", __package__)

UNRELATED_TEXTS: tuple[str, ...] = (*_TEXTS["memories"], *_TEXTS["messages"])
"""What a model is measured with."""

_MIN_DEVIATION = 1e-3


@dataclass(frozen=True, slots=True)
class Calibration:
    """The similarity of unrelated texts: its mean and its standard deviation."""

    mean: float
    deviation: float


def calibrate(vectors: Sequence[Sequence[float]]) -> Calibration:
    """The calibration of the model that gave these vectors to ``UNRELATED_TEXTS``."""
    count = len(_TEXTS["memories"])
    memories, messages = vectors[:count], vectors[count:]
    similarities = [_cosine(memory, message) for memory in memories for message in messages]
    return Calibration(fmean(similarities), max(_MIN_DEVIATION, pstdev(similarities)))


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = sqrt(fsum(x * x for x in a)) * sqrt(fsum(y * y for y in b))
    return fsum(x * y for x, y in zip(a, b, strict=True)) / (lengths or 1.0)
