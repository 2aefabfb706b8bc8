"""Scores how much a sentence reads as a claim of authority, and as telling a secret, by the layers of an encoder.

One hidden layer over the means of the last layers: the embedding alone, which is made from the very last, tells what a
sentence is about and less how it is meant. ``bench/sentence_classifier.py`` trains its weights for the bundled model.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepsake.infra.models.sentence_encoder import Floats

LAYERS = 4
"""The number of layers whose means are read."""

WEIGHTS = Path(__file__).parent / "data" / "sentence_classifier.npz"
"""The trained weights; those of the hidden layer in one byte each."""


class SentenceScores(NamedTuple):
    """The logarithms of the odds that a sentence is a claim of authority, and that it tells a secret."""

    claim: float
    secret: float


class SentenceClassifier:
    """A network with one hidden layer and two outputs."""

    def __init__(self, weights: dict[str, npt.NDArray[np.float32]]) -> None:
        self._weights = weights

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> SentenceClassifier:
        """The network with the weights of a file."""
        with np.load(path) as file:
            return cls({name: file[name].astype(np.float32) for name in file.files})

    def scores(self, layer_means: Floats) -> list[SentenceScores]:
        """The scores of each sentence."""
        of = self._weights
        hidden = (layer_means - of["mean"]) / of["deviation"] @ (of["hidden_weights"] * of["hidden_scale"])
        scores = np.maximum(hidden + of["hidden_bias"], 0) @ of["output_weights"] + of["output_bias"]
        return [SentenceScores(float(claim), float(secret)) for claim, secret in scores]
