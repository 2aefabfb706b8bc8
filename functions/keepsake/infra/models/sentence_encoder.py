"""Computes sentence embeddings with numpy: a BERT encoder, mean pooling, length one. Written out, without torch.

The weights of the model are read where they lie (memory-mapped), so that processes share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
"""Abramowitz and Stegun, 7.1.26: the error function to 1.5e-7, which is what a float32 holds."""
_ERF_SCALE = 0.3275911
_HIDDEN = np.float32(-1e9)
"""What the attention to padding is set to."""


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """The sizes of a BERT encoder, as its ``config.json`` gives them."""

    layers: int
    heads: int
    dimensions: int
    layer_norm_eps: float


class SentenceEncoder:
    """Computes what the layers make of texts that were split into tokens."""

    def __init__(self, shape: EncoderShape, weights: Mapping[str, Floats]) -> None:
        self._shape, self._weights = shape, weights
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._positions = weights["embeddings.position_embeddings.weight"] + kind

    @property
    def dimensions(self) -> int:
        """The length of each embedding."""
        return self._shape.dimensions

    def layer_means(self, token_ids: Sequence[Sequence[int]], count: int) -> Floats:
        """For each list of tokens, the means over its tokens that the last ``count`` layers give, side by side."""
        max_length = max(map(len, token_ids))
        ids = np.zeros((len(token_ids), max_length), dtype=np.int64)
        mask = np.zeros((len(token_ids), max_length), dtype=np.float32)
        for row, tokens in enumerate(token_ids):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        hidden = self._weights["embeddings.word_embeddings.weight"][ids] + self._positions[:max_length]
        hidden = self._normalize(hidden, "embeddings.LayerNorm")
        attention_mask = ((1 - mask) * _HIDDEN)[:, None, None, :]
        means: list[Floats] = []
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, attention_mask, f"encoder.layer.{layer}")
            if layer >= self._shape.layers - count:
                means.append((hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True))
        return np.concatenate(means, axis=1)

    def _layer(self, hidden: Floats, attention_mask: Floats, name: str) -> Floats:
        attended = self._linear(self._attend(hidden, attention_mask, name), f"{name}.attention.output.dense")
        hidden = self._normalize(attended + hidden, f"{name}.attention.output.LayerNorm")
        between = _gelu(self._linear(hidden, f"{name}.intermediate.dense"))
        return self._normalize(self._linear(between, f"{name}.output.dense") + hidden, f"{name}.output.LayerNorm")

    def _attend(self, hidden: Floats, attention_mask: Floats, name: str) -> Floats:
        batch, length, width = hidden.shape
        by_head = (batch, length, self._shape.heads, width // self._shape.heads)
        query, key, value = (
            self._linear(hidden, f"{name}.attention.self.{part}").reshape(by_head).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scale = np.float32(by_head[-1] ** -0.5)
        scores = query @ key.transpose(0, 1, 3, 2) * scale + attention_mask
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        attended: Floats = (shares @ value).transpose(0, 2, 1, 3).reshape(hidden.shape)
        return attended

    def _linear(self, hidden: Floats, name: str) -> Floats:
        weight: Any = self._weights[f"{name}.weight"]
        flat = hidden.reshape(-1, hidden.shape[-1]) @ weight.T
        result: Floats = (flat + self._weights[f"{name}.bias"]).reshape(*hidden.shape[:-1], -1)
        return result

    def _normalize(self, hidden: Floats, name: str) -> Floats:
        centered = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = np.square(centered).mean(axis=-1, keepdims=True)
        scaled = centered / np.sqrt(variance + np.float32(self._shape.layer_norm_eps))
        result: Floats = scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return result


def embeddings(layer_means: Floats) -> Floats:
    """Sentence embeddings, of length one, from what the last layer gives."""
    lengths = np.linalg.norm(layer_means, axis=1, keepdims=True)
    return np.asarray(layer_means / np.maximum(lengths, 1e-12), dtype=np.float32)


def _gelu(values: Floats) -> Floats:
    """The Gaussian error linear unit."""
    scaled = np.abs(values) * np.float32(0.5**0.5)
    term = 1 / (1 + np.float32(_ERF_SCALE) * scaled)
    series = np.zeros_like(term)
    for factor in reversed(_ERF):
        series = (series + np.float32(factor)) * term
    erf = np.copysign(1 - series * np.exp(-np.square(scaled)), values)
    result: Floats = np.float32(0.5) * values * (1 + erf)
    return result
