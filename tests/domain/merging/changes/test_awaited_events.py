"""What has come about is no longer waited for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.merging.changes.find_changes import find_changes
from keepsake.domain.merging.changes.read_change_statements import read_changes
from tests.support.memories import NOW, stated_memory


def doubted(memory: str, message: str) -> bool:
    """Whether the memory may no longer hold after the message."""
    stored, said_at = stated_memory(memory), NOW + timedelta(minutes=5)
    found = find_changes(read_changes(message, said_at=said_at), [stored], said_at=said_at)
    return stored.id in found.doubted or stored.id in found.ended


@pytest.mark.parametrize(
    "memory, message",
    [
        ("I am waiting for my green card", "green card came in the mail!!!"),
        ("I am looking for a flat in Leiden", "they approved our flat application in Leiden"),
    ],
)
def test_awaited_events__that_came_about_cast_doubt_on_waiting(memory: str, message: str) -> None:
    assert doubted(memory, message)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Has a dog named Rex", "Rex came to the door"),
        ("I am waiting for my green card", "still no green card in the mail"),
    ],
)
def test_awaited_events__nothing_changes_where_nobody_waits_or_nothing_came(memory: str, message: str) -> None:
    assert not doubted(memory, message)
