"""Shortens a message to what a model can read: its newest sentences, because the last words ask and correct."""

from __future__ import annotations

import re
from collections.abc import Callable

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？\n])\s+")


def keep_newest(text: str, max_tokens: int, count_tokens: Callable[[str], int]) -> str:
    """The last sentences of a text that have at most so many tokens; at least the end of the last one."""
    if count_tokens(text) <= max_tokens:
        return text
    kept: list[str] = []
    room = max_tokens
    for sentence in reversed(_SENTENCE_END.split(text)):
        room -= count_tokens(sentence) + 1
        if room < 0:
            break
        kept.append(sentence)
    return " ".join(reversed(kept)) or text[-max(1, max_tokens) :]
