"""Reading a message for changes finds nothing where there is no word."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.reading.changes.read_changes import read_changes


@pytest.mark.parametrize("text", ["", "\n", "???", "...", "!"])
def test_reading__finds_nothing_in_a_message_without_a_word(text: str) -> None:
    """Punctuation alone is a usual answer, and no sentence."""
    assert read_changes(text, said_at=datetime(2026, 11, 24, tzinfo=UTC)) == ()
