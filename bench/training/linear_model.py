"""Logistic regression by stochastic gradient descent with steps that shrink per feature (AdaGrad).

At every step each model may leave out a part of the features by chance, and the weights are the mean of several such
models. More rounds over some rows may then refine a part of the weights. The same rows and the same chance give the
same weights.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """The features of a text, whether it is what is looked for, and its weight in training."""

    features: list[str]
    is_positive: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Training:
    """How a model is trained; without weights below ``smallest`` and features of fewer texts than ``fewest``."""

    rounds: int
    step: float
    left_out: float
    models: int
    smallest: float
    fewest: int = 2


@dataclass(frozen=True, slots=True)
class Refinement:
    """The rows of more rounds; the features that are ``kept``, which have enough other rows, keep their weights."""

    rows: list[Row]
    training: Training
    kept: frozenset[str]


@dataclass(frozen=True, slots=True)
class Classifier:
    """A classifier with what it learns from, and the chance that trains it."""

    name: str
    first_rows: list[Row]
    training: Training
    bias: str
    chance: random.Random
    refinement: Refinement | None = None

    @property
    def rows(self) -> list[Row]:
        """Everything that it learns from."""
        return [*self.first_rows, *(self.refinement.rows if self.refinement else ())]

    def weights(self) -> dict[str, float]:
        """The weights that training gives."""
        weights = train(self.first_rows, self.training, self.bias, self.chance)
        return refine(weights, self.refinement, self.chance) if self.refinement else weights


def train(rows: Iterable[Row], training: Training, bias: str, chance: random.Random) -> dict[str, float]:
    """The weight of each feature that enough texts have."""
    frequent = _frequent(rows, training.fewest)
    sums: defaultdict[str, float] = defaultdict(float)
    for _ in range(training.models):
        for feature, weight in _train_one(frequent, training, chance, defaultdict(float)).items():
            sums[feature] += weight / training.models
    return {one: weight for one, weight in sums.items() if abs(weight) >= training.smallest or one == bias}


def refine(weights: Mapping[str, float], by: Refinement, chance: random.Random) -> dict[str, float]:
    """The weights after the rounds of a refinement, in which other features than the kept ones change."""
    refined = _train_one(
        _frequent(by.rows, by.training.fewest), by.training, chance, defaultdict(float, weights), by.kept
    )
    return {one: weight for one, weight in refined.items() if one in weights or abs(weight) >= by.training.smallest}


def _frequent(rows: Iterable[Row], fewest: int) -> list[Row]:
    """The rows with the features that so many have."""
    read = [*rows]
    counts = Counter(feature for row in read for feature in row.features)
    return [Row([one for one in row.features if counts[one] >= fewest], row.is_positive, row.weight) for row in read]


def _train_one(
    rows: list[Row],
    training: Training,
    chance: random.Random,
    weights: defaultdict[str, float],
    kept: frozenset[str] = frozenset(),
) -> dict[str, float]:
    squares: defaultdict[str, float] = defaultdict(lambda: 1e-6)
    left_out = training.left_out
    for _ in range(training.rounds):
        chance.shuffle(rows)
        for row in rows:
            features = [one for one in row.features if chance.random() >= left_out] if left_out else row.features
            score = sum(weights[one] for one in features)
            slope = (1 / (1 + math.exp(-max(-30.0, min(30.0, score)))) - row.is_positive) * row.weight
            for one in features:
                if one in kept:
                    continue
                squares[one] += slope * slope
                weights[one] -= training.step * (slope + 1e-4 * weights[one]) / math.sqrt(squares[one])
    return weights
