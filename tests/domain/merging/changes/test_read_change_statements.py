"""Reading a message for changes takes as long as the message is, whatever the number of its clauses, or none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.merging.changes import read_change_statements
from keepsake.domain.merging.changes.endings.for_a_time import is_for_a_time


def test_reading__reads_the_whole_message_once_and_not_once_for_each_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(words: str) -> bool:
        read.append(words)
        return is_for_a_time(words)

    monkeypatch.setattr(read_change_statements, "is_for_a_time", counted)
    text = "I sold the fiat. " + "I went to the shop with my mother, and we bought apples. " * 50
    found = read_change_statements.read_changes(text, said_at=datetime(2026, 11, 24, tzinfo=UTC))
    assert any(statement.endings for statement in found)
    assert len(read) == 1


@pytest.mark.parametrize("text", ["", "\n", "???", "...", "!"])
def test_reading__finds_nothing_in_a_message_without_a_word(text: str) -> None:
    """Punctuation alone is a usual answer, and no sentence."""
    assert read_change_statements.read_changes(text, said_at=datetime(2026, 11, 24, tzinfo=UTC)) == ()
