"""Finds the memories by which the person waits for what has come about: "Is waiting for her visa", "the visa came"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.endings.find_ended import find_ended

_PENDING = re.compile(rf"\b{load_alternations('pending', __package__)['pending']}\b", re.IGNORECASE)


def find_arrived(arrived: Sequence[str], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories by which the person waits for, seeks or works towards what has come about."""
    pending = [memory for memory in memories if _PENDING.search(memory.text)]
    return find_ended(arrived, pending, said_at=said_at)
