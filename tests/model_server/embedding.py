"""Embeddings without a model: each word falls on a few places by its hash, so texts that share words lie close."""

from __future__ import annotations

import hashlib
import math
import re

DIMENSIONS = 256

_WORD = re.compile(r"\w+")
_PLACES_A_WORD = 4


def embed(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """The same text always gives the same unit vector."""
    vector = [0.0] * dimensions
    for word in _WORD.findall(text.casefold()) or [text]:
        digest = hashlib.sha256(word.encode(errors="replace")).digest()
        for place in range(_PLACES_A_WORD):
            at = int.from_bytes(digest[5 * place : 5 * place + 4], "big") % dimensions
            vector[at] += 1.0 if digest[5 * place + 4] % 2 else -1.0
    length = math.sqrt(sum(part * part for part in vector)) or 1.0
    return [part / length for part in vector]
