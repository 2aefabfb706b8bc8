"""Scores by the last layers of the bundled encoder what a sentence is meant as: an attack, or a change of a life.

``bench/training/sentence_classifier.py`` trains the weights for attacks, ``bench/training/change_model.py`` those for
changes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from keepsake.infra.models.layer_network import LayerNetwork
from keepsake.infra.models.sentence_encoder import Floats

_DATA = Path(__file__).parent / "data"
ATTACK_WEIGHTS, CHANGE_WEIGHTS = _DATA / "sentence_classifier.npz", _DATA / "life_changes.npz"
"""The trained weights; those of the hidden layers in one byte each."""


class SentenceScores(NamedTuple):
    """The logarithms of the odds that a sentence is a claim of authority, and that it tells a secret."""

    claim: float
    secret: float


def attack_scores(layer_means: Floats) -> list[SentenceScores]:
    """How much each sentence reads as a claim of authority, and as telling a secret."""
    return [SentenceScores(**one) for one in _network(ATTACK_WEIGHTS).scores(layer_means)]


def change_scores(layer_means: Floats) -> list[dict[str, float]]:
    """How much each sentence reads as a change of each part of a life, and of none."""
    return _network(CHANGE_WEIGHTS).scores(layer_means)


@cache
def _network(weights: Path) -> LayerNetwork:
    return LayerNetwork.load(weights)
