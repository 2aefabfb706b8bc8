"""Softmax regression over rows of which most is zero: the features of words of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_ROUNDS, _STEP = 150, 0.05

Matrix = np.ndarray[Any, np.dtype[np.floating[Any]]]


@dataclass(frozen=True, slots=True)
class WordRows:
    """For each text its features of words, as columns of a matrix in which most is zero."""

    columns: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]
    texts: np.ndarray[Any, Any]
    """For each entry of ``columns`` the number of its text."""
    width: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], width: int) -> WordRows:
        """The rows of which each lists its columns, at least one."""
        lengths = [len(row) for row in rows]
        columns = np.array([index for row in rows for index in row])
        return cls(columns, np.cumsum([0, *lengths[:-1]]), np.repeat(np.arange(len(rows)), lengths), width)

    def __matmul__(self, weights: Matrix) -> Matrix:
        scores: Matrix = np.add.reduceat(weights[self.columns], self.starts, axis=0)
        return scores

    def slope(self, errors: Matrix) -> Matrix:
        """The sum of the errors of the texts that have a feature, for each feature and part."""
        sums = [np.bincount(self.columns, column[self.texts], self.width) for column in errors.T]
        return np.array(sums, np.float32).T


def train(rows: WordRows, wanted: Matrix, share: Matrix, decay: float, rounds: int = _ROUNDS) -> Matrix:
    """The weights of each class, with Adam and weight decay; each row counts by its share."""
    shares = share[:, None] / share.sum()
    weights = np.zeros((rows.width, wanted.shape[1]), np.float32)
    mean: Matrix = np.zeros_like(weights)
    square: Matrix = np.zeros_like(weights)
    for number in range(1, rounds + 1):
        slope = rows.slope((probabilities(rows @ weights) - wanted) * shares) + decay * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
        weights -= _STEP * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
    return weights


def probabilities(scores: Matrix) -> Matrix:
    """The softmax of each row."""
    odds: Matrix = np.exp(scores - scores.max(1, keepdims=True))
    shares: Matrix = odds / odds.sum(1, keepdims=True)
    return shares
