"""A model of the words that something is about: softmax regression over all spans of a text, and none of them.

The score of a span is the sum of the scores of its words, of its first word as the first, and of its last as the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.training.softmax_model import Matrix, WordRows

_ROUNDS, _STEP = 60, 0.1
_Numbers = np.ndarray[Any, np.dtype[np.intp]]


@dataclass(frozen=True, slots=True)
class Text:
    """The features of each word of a text as columns, the spans that may be meant, and which one is, if one is."""

    words: Sequence[Sequence[int]]
    spans: Sequence[tuple[int, int]]
    meant: tuple[int, int] | None


def train(texts: Sequence[Text], width: int, decay: float) -> Matrix:
    """The weights of each feature for a word inside, for the first and for the last one, with Adam and weight decay."""
    rows = WordRows.of([word for text in texts for word in text.words], width)
    starts = np.cumsum([0, *(len(text.words) for text in texts)])
    bounds = [np.array(text.spans).T for text in texts]
    meant = [text.spans.index(text.meant) if text.meant else len(text.spans) for text in texts]
    weights = np.zeros((width, 3), np.float32)
    mean: Matrix = np.zeros_like(weights)
    square: Matrix = np.zeros_like(weights)
    for number in range(1, _ROUNDS + 1):
        scores = rows @ weights
        errors: Matrix = np.zeros_like(scores)
        for start, end, (first, last), right in zip(starts, starts[1:], bounds, meant, strict=False):
            errors[start:end] = _errors(scores[start:end], first, last, right)
        slope = rows.slope(errors) / len(texts) + decay * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
        weights -= _STEP * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
    return weights


def _errors(scores: Matrix, first: _Numbers, last: _Numbers, right: int) -> Matrix:
    """How much more each word was taken for one inside, the first and the last than it is."""
    sums = np.concatenate([[0.0], np.cumsum(scores[:, 0])])
    spans = np.append(sums[last + 1] - sums[first] + scores[first, 1] + scores[last, 2], 0.0)
    shares = np.exp(spans - spans.max())
    shares /= shares.sum()
    shares[right] -= 1
    steps, errors = np.zeros(len(scores) + 1), np.zeros_like(scores)
    np.add.at(steps, first, shares[:-1])
    np.add.at(steps, last + 1, -shares[:-1])
    errors[:, 0] = np.cumsum(steps)[:-1]
    np.add.at(errors[:, 1], first, shares[:-1])
    np.add.at(errors[:, 2], last, shares[:-1])
    return errors
