"""Asks what a message changes about one memory."""

from __future__ import annotations

from datetime import timedelta

from keepsake.domain.merging.changes.find_changes import find_changes
from keepsake.domain.merging.changes.read_change_statements import read_changes
from tests.support.memories import NOW, stated_memory


def is_doubted(memory: str, message: str) -> bool:
    """Whether the memory may no longer hold, or is over, after the message."""
    stored, said_at = stated_memory(memory), NOW + timedelta(minutes=5)
    found = find_changes(read_changes(message, said_at=said_at), [stored], said_at=said_at)
    return stored.id in found.doubted or stored.id in found.ended
