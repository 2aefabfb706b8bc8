"""What has come about is no longer waited for."""

from __future__ import annotations

import pytest

from tests.support.changes import is_doubted


@pytest.mark.parametrize(
    "memory, message",
    [
        ("I am waiting for my green card", "green card came in the mail!!!"),
        ("I am looking for a flat in Leiden", "they approved our flat application in Leiden"),
    ],
)
def test_awaited_events__that_came_about_cast_doubt_on_waiting(memory: str, message: str) -> None:
    assert is_doubted(memory, message)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Has a dog named Rex", "Rex came to the door"),
        ("I am waiting for my green card", "still no green card in the mail"),
    ],
)
def test_awaited_events__nothing_changes_where_nobody_waits_or_nothing_came(memory: str, message: str) -> None:
    assert not is_doubted(memory, message)
