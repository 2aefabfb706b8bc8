"""Finds the memories of the message before, which a pronoun, a correction or "just kidding" refers to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from keepsake.domain.memory import Memory

_REFERS_BACK_WITHIN = timedelta(hours=1)


def memories_of_previous_message(recent: Sequence[Memory], said_at: datetime) -> list[Memory]:
    """The memories that were said last, where that was not long ago; ``recent`` has the newest first."""
    last = [memory for memory in recent if memory.last_said_at == recent[0].last_said_at]
    return last if last and said_at - last[0].last_said_at <= _REFERS_BACK_WITHIN else []
