"""Turns the vector of a message toward the memories that such messages need, for the bundled encoder.

"What should I cook tonight?" is similar to memories about dinners, and needs those about allergies. What the last
layers make of a message tells its subjects, and each subject has a direction in the space of embeddings; a message
about none keeps its embedding. ``bench/training/message_needs.py`` trains the weights.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from keepsake.infra.models.sentence_encoder import Floats, embeddings

NEED_WEIGHTS = Path(__file__).parent / "data" / "message_needs.npz"
"""The trained weights."""


def need_embeddings(layer_means: Floats) -> Floats:
    """The embeddings with which the memories are found that messages need, by what the last layers make of them."""
    weights = _weights()
    last_layer = layer_means[:, -weights["directions"].shape[1] :]
    shares = subject_shares(layer_means @ weights["subjects"] + weights["bias"])[:, :-1]  # the last one is none
    return embeddings(embeddings(last_layer) + shares @ weights["directions"])


def subject_shares(scores: Floats) -> Floats:
    """How much of each message is about each subject, by the scores of the subjects."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


@cache
def _weights() -> dict[str, Floats]:
    with np.load(NEED_WEIGHTS) as file:
        return {name: file[name].astype(np.float32) for name in file.files}
