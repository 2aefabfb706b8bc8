"""Parses and validates replies of an endpoint for embeddings: one finite vector per text, all of equal length."""

from __future__ import annotations

import base64
import binascii
import json
import math
from array import array
from dataclasses import dataclass
from typing import Any

from keepsake.infra.models.chat_reply_parser import ModelUnavailable

MAX_DIMENSIONS = 2000
"""How long a vector may be that Postgres keeps beside its row; more takes a model that can shorten its vectors."""

Vector = array  # of float32, as it is stored
_FLOAT_BYTES = 4
_IMPLAUSIBLE_TOKENS = 10_000_000


class TextsRefused(Exception):
    """The endpoint answers but refuses to embed: because of one of the texts, or of the model."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of texts, in their order, and the number of tokens if the endpoint counts them."""

    vectors: tuple[Vector[float], ...]
    tokens: int | None

    @property
    def dimensions(self) -> int:
        """The number of dimensions of each vector."""
        return len(self.vectors[0]) if self.vectors else 0


def read_vectors(body: bytes, *, count: int, dimensions: int | None) -> Vectors:
    """Parse the vectors of ``count`` texts, or raise ModelUnavailable with the reason."""
    try:
        parsed = json.loads(body, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise _bad_reply("not_finite" if isinstance(error, _NotFiniteError) else "not_json") from None
    data = parsed.get("data") if isinstance(parsed, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise _bad_reply("no_vectors")
    if len(data) != count:
        raise _bad_reply("wrong_count")
    vectors = tuple(_vector(one.get("embedding")) for one in _sort_by_index(data))
    lengths = {len(vector) for vector in vectors}
    if len(lengths) != 1 or lengths != {dimensions or max(lengths)}:
        raise _bad_reply("wrong_dimension")
    if max(lengths) > MAX_DIMENSIONS:
        raise ModelUnavailable("locked_out", "too_many_dimensions", sent=True)
    return Vectors(vectors, _tokens(parsed))


def _sort_by_index(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort the items by their ``index``, if they have one."""
    if all(one.get("index") is None for one in data):
        return data
    by_index = {one["index"]: one for one in data if type(one.get("index")) is int}
    if by_index.keys() != set(range(len(data))):
        raise _bad_reply("wrong_places")
    return [by_index[index] for index in range(len(data))]


def _vector(value: Any) -> Vector[float]:
    try:
        vector = _unpack(value) if isinstance(value, str) else array("f", value)
    except (TypeError, ValueError, binascii.Error):
        raise _bad_reply("no_vector") from None
    if not vector:
        raise _bad_reply("no_vector")
    if not all(map(math.isfinite, vector)):
        raise _bad_reply("not_finite")
    if not any(vector):
        raise _bad_reply("all_zero")
    return vector


def _unpack(value: str) -> Vector[float]:
    """Decode little-endian float32 in base64, OpenAI's other format."""
    packed = base64.b64decode(value, validate=True)
    if len(packed) % _FLOAT_BYTES:
        raise ValueError
    vector = array("f", packed)
    if array("H", b"\x01\x00")[0] != 1:  # pragma: no cover (a big-endian machine)
        vector.byteswap()
    return vector


class _NotFiniteError(ValueError):
    """NaN or infinity in place of a number."""


def _reject_constant(_name: str) -> float:
    raise _NotFiniteError


def _tokens(parsed: dict[str, Any]) -> int | None:
    usage = parsed.get("usage")
    counts = [usage.get(name) for name in ("prompt_tokens", "total_tokens")] if isinstance(usage, dict) else []
    return next((count for count in counts if type(count) is int and 0 <= count < _IMPLAUSIBLE_TOKENS), None)


def _bad_reply(reason: str) -> ModelUnavailable:
    return ModelUnavailable("bad_reply", reason, sent=True)
