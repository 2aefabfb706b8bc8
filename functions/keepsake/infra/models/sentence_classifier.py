"""Scores by the last layers of the bundled encoder whether a sentence is meant as an attack.

``bench/training/sentence_classifier.py`` trains the weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from keepsake.infra.models.layer_network import LayerNetwork
from keepsake.infra.models.sentence_encoder import Floats

ATTACK_WEIGHTS = Path(__file__).parent / "data" / "sentence_classifier.npz"
"""The trained weights; those of the hidden layers in one byte each."""


class SentenceScores(NamedTuple):
    """The logarithms of the odds that a sentence is a claim of authority, and that it tells a secret."""

    claim: float
    secret: float


def attack_scores(layer_means: Floats) -> list[SentenceScores]:
    """How much each sentence reads as a claim of authority, and as telling a secret."""
    return [SentenceScores(**one) for one in _network().scores(layer_means)]


@cache
def _network() -> LayerNetwork:
    return LayerNetwork.load(ATTACK_WEIGHTS)
