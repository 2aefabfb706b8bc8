"""Scores sentences by the last layers of an encoder: a network with one hidden layer, whose weights are in a file.

It reads the means of the last layers side by side: the embedding alone, which is made from the very last, tells what a
sentence is about and less how it is meant. ``bench/training/layer_training.py`` trains such networks for the bundled
model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from keepsake.infra.models.sentence_encoder import Floats

LAYERS = 4
"""The number of layers whose means are read."""

_NAMES = "names"


class LayerNetwork:
    """A network with one hidden layer, and names for its outputs."""

    def __init__(self, weights: dict[str, npt.NDArray[Any]]) -> None:
        self.names = [str(name) for name in weights[_NAMES]]
        self._weights = {name: of.astype(np.float32) for name, of in weights.items() if name != _NAMES}
        self._hidden_weights = self._weights["hidden_weights"] * self._weights["hidden_scale"]

    @classmethod
    def load(cls, path: Path) -> LayerNetwork:
        """The network with the weights of a file."""
        with np.load(path) as file:
            return cls({name: file[name] for name in file.files})

    def scores(self, layer_means: Floats) -> list[dict[str, float]]:
        """The outputs for each sentence, by name."""
        of = self._weights
        hidden = (layer_means - of["mean"]) / of["deviation"] @ self._hidden_weights
        scores = np.maximum(hidden + of["hidden_bias"], 0) @ of["output_weights"] + of["output_bias"]
        return [dict(zip(self.names, row, strict=True)) for row in scores.tolist()]
