"""Trains networks over the last layers of the encoder of the extra ``local-embeddings`` (``LayerNetwork``).

One hidden layer, by stochastic gradient descent (Adam), a part of the inputs left out by chance at every step; of
several networks their mean, which is one with a wider hidden layer. The same texts and the same seeds give the same
weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from keepsake.infra.models.layer_network import LAYERS, LayerNetwork
from keepsake.infra.models.model_folder import bundled_model

Floats = npt.NDArray[np.float32]
Probabilities = Callable[[Floats], Floats]

_HIDDEN, _NETWORKS, _ROUNDS, _BATCH = 64, 3, 12, 128
_STEP, _DECAY, _LEFT_OUT = 2e-3, 1e-4, 0.3
_TEXTS_AT_ONCE = 32
_BYTE = 127


@dataclass(frozen=True, slots=True)
class Examples:
    """What a network learns from: what the layers make of texts, the output wanted for each, and how much it counts."""

    inputs: Floats
    wanted: Floats
    shares: Floats

    def __getitem__(self, rows: npt.NDArray[np.int64]) -> Examples:
        return Examples(self.inputs[rows], self.wanted[rows], self.shares[rows])

    def __len__(self) -> int:
        return len(self.inputs)


def layer_means(sentences: Sequence[str]) -> Floats:
    """What the encoder makes of each sentence."""
    folder = bundled_model()
    tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(folder.max_length())
    encoder = folder.load_encoder()
    ids = [encoding.ids for encoding in tokenizer.encode_batch(list(sentences))]
    order = sorted(range(len(ids)), key=lambda one: len(ids[one]))
    means = np.zeros((len(ids), LAYERS * encoder.dimensions), dtype=np.float32)
    for start in range(0, len(order), _TEXTS_AT_ONCE):
        chosen = order[start : start + _TEXTS_AT_ONCE]
        means[chosen] = encoder.layer_means([ids[one] for one in chosen], LAYERS)
    return means


def learn(examples: Examples, probabilities: Probabilities, names: Sequence[str]) -> dict[str, npt.NDArray[np.generic]]:
    """The weights of the mean of several networks, in the form in which they are stored."""
    mean, deviation = examples.inputs.mean(axis=0), examples.inputs.std(axis=0) + 1e-6
    scaled = Examples((examples.inputs - mean) / deviation, examples.wanted, examples.shares)
    networks = [_train(scaled, probabilities, np.random.default_rng(seed)) for seed in range(_NETWORKS)]
    hidden = np.concatenate([one[0] for one in networks], axis=1)
    scale = np.abs(hidden).max(axis=0) / _BYTE
    return {
        "names": np.array(names),
        "mean": mean.astype(np.float16),
        "deviation": deviation.astype(np.float16),
        "hidden_weights": np.round(hidden / scale).astype(np.int8),
        "hidden_scale": scale,
        "hidden_bias": np.concatenate([one[1] for one in networks]),
        "output_weights": np.concatenate([one[2] for one in networks]) / np.float32(_NETWORKS),
        "output_bias": np.mean([one[3] for one in networks], axis=0),
    }


def write(path: Path, weights: dict[str, npt.NDArray[np.generic]]) -> None:
    """Write the weights, and read them as the product does."""
    np.savez(path, allow_pickle=False, **weights)
    LayerNetwork.load(path)


def sigmoid(scores: Floats) -> Floats:
    """The probability of each output, of which several may hold."""
    return np.asarray(1 / (1 + np.exp(-scores)), dtype=scores.dtype)


def _train(examples: Examples, probabilities: Probabilities, chance: np.random.Generator) -> list[Floats]:
    """The weights of one network: of its hidden layer and its outputs, each with their bias."""
    count, width, outputs = *examples.inputs.shape, examples.wanted.shape[1]
    weights: list[Floats] = [
        chance.normal(0, (2 / width) ** 0.5, (width, _HIDDEN)).astype(np.float32),
        np.zeros(_HIDDEN, dtype=np.float32),
        chance.normal(0, _HIDDEN**-0.5, (_HIDDEN, outputs)).astype(np.float32),
        np.zeros(outputs, dtype=np.float32),
    ]
    means, squares = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights]
    steps = [rows for _ in range(_ROUNDS) for rows in np.array_split(chance.permutation(count), count // _BATCH)]
    for number, rows in enumerate(steps, 1):
        slopes = _slopes(weights, examples[rows], probabilities, chance)
        step = _STEP * max(0.02, 1 - number / len(steps))
        for one, (weight, slope) in enumerate(zip(weights, slopes, strict=True)):
            means[one] = 0.9 * means[one] + 0.1 * slope
            squares[one] = 0.999 * squares[one] + 0.001 * slope * slope
            change = means[one] / (1 - 0.9**number) / (np.sqrt(squares[one] / (1 - 0.999**number)) + 1e-8)
            decay = _DECAY * weight if weight.ndim > 1 else 0
            weights[one] = np.asarray(weight - step * (change + decay), dtype=np.float32)
    return weights


def _slopes(
    weights: Sequence[Floats], examples: Examples, probabilities: Probabilities, chance: np.random.Generator
) -> list[Floats]:
    """How the loss changes with each weight."""
    kept = chance.random(examples.inputs.shape, dtype=np.float32) >= _LEFT_OUT
    inputs = examples.inputs * kept / np.float32(1 - _LEFT_OUT)
    hidden = np.maximum(inputs @ weights[0] + weights[1], 0)
    error = (probabilities(hidden @ weights[2] + weights[3]) - examples.wanted) / np.float32(len(examples))
    error *= examples.shares[:, None]
    back = error @ weights[2].T * (hidden > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
