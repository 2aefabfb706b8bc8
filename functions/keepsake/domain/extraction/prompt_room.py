"""How many memories and to-dos the extraction prompt has room for: it has at most 1,600 tokens beside the message."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

MAX_KNOWN, MAX_TODOS = 10, 6
"""Memories and open to-dos that the model is shown, if they have room."""

MAX_LINE_LENGTH = 120
"""Characters of one of them."""

_ROOM_OF_KNOWN, _ROOM_OF_TODOS = 640, 220
"""Characters of all of them."""


def count_known(texts: Sequence[str]) -> int:
    """How many of these memories the model is shown, from the first on."""
    return _count_fitting(texts[:MAX_KNOWN], _ROOM_OF_KNOWN)


def count_todos(texts: Sequence[str]) -> int:
    """How many of these to-dos the model is shown, from the first on."""
    return _count_fitting(texts[:MAX_TODOS], _ROOM_OF_TODOS)


def _count_fitting(texts: Sequence[str], room: int) -> int:
    ends = accumulate(min(len(text), MAX_LINE_LENGTH) for text in texts)
    return sum(end <= room for end in ends)
