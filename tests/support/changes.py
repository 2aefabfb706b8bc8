"""Asks what a message changes about memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.find_changes import FoundChanges, find_changes
from keepsake.domain.reading import read
from tests.support.memories import NOW, stated_memory


def changes_of(
    message: str, known: Sequence[Memory], *, said_at: datetime, recent: Sequence[Memory] = ()
) -> FoundChanges:
    """What a message changes about these memories, as words alone tell it."""
    return find_changes(read(message, said_at=said_at, recent=recent).changes, known, said_at=said_at)


def is_doubted(memory: str, message: str) -> bool:
    """Whether the memory may no longer hold, or is over, after the message."""
    stored = stated_memory(memory)
    found = changes_of(message, [stored], said_at=NOW + timedelta(minutes=5))
    return stored.id in found.doubted or stored.id in found.ended


def is_ended(memory: str, message: str) -> bool:
    """Whether the memory is over after the message."""
    stored = stated_memory(memory)
    return stored.id in changes_of(message, [stored], said_at=NOW + timedelta(minutes=5)).ended
