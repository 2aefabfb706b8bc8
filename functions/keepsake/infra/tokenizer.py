"""Counts tokens as o200k_base does where the encoding is on the machine, else by an estimate that errs high."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_PIECE = re.compile(r"[a-zA-Z]+|\d+|\s+|[^\sa-zA-Z\d]")


@cache
def load_counter() -> Callable[[str], int]:
    """The best counter this machine has without waiting for the network; loaded once a process."""
    try:
        from rs_bpe.bpe import openai  # noqa: PLC0415  # not built for every platform
    except ImportError:
        return estimate
    encoding = openai.o200k_base()
    return lambda text: int(encoding.count(text))


def estimate(text: str) -> int:
    """At least as many tokens as the text has."""
    return sum(max(1, len(piece.encode()) // 3) for piece in _PIECE.findall(text))
