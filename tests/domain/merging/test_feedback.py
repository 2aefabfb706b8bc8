"""No feedback loop: what an assistant repeats, and a person asks about, makes no memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bench.junk.claims import lines
from bench.junk.person import Person
from keepsake.usecases.extraction.proposals import by_rules

_DATA = Path(__file__).parents[3] / "bench" / "data"
_FIRST = datetime(2026, 1, 5, 12, tzinfo=UTC)
_ROUNDS = 3


@pytest.mark.parametrize("talk", [*lines(_DATA, "feedback")], ids=lambda talk: str(talk["id"]))
async def test_talk__makes_no_memory_of_what_was_injected(talk: dict[str, Any]) -> None:
    person = Person(by_rules)
    await person.says(talk["told"], _FIRST)
    before = [memory.text for memory in person.memories]
    for number in range(1, _ROUNDS + 1):
        await person.says(talk["reply"], _FIRST + timedelta(minutes=5 * number), after=talk["answer"])
    assert [memory.text for memory in person.memories] == before
    assert not person.closed
