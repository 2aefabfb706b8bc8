"""The memory document of an agent stays within its limit; what must not be missed is the last that it loses."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from keepsake.domain.agent.document import Fact, build_document

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def fact(number: int, *, is_active: bool = True, pinned: bool = False, must_not_be_missed: bool = False) -> Fact:
    """The fact of a day: the higher the number, the later."""
    return Fact(
        uuid4(),
        f"Fact {number}",
        FIRST + timedelta(days=number),
        is_active,
        pinned,
        must_not_be_missed=must_not_be_missed,
    )


def test_document__evicts_in_order_of_what_is_missed_least() -> None:
    name, old, new = fact(1, must_not_be_missed=True), fact(2), fact(5)
    past, pin = fact(4, is_active=False), fact(3, pinned=True)
    everything = [name, old, pin, past, new]
    size = build_document([old], [], len).token_count
    kept = [build_document(everything, [], len, max_tokens=rooms * size + 5).facts for rooms in (4, 3, 2, 1)]
    assert [{one.content for one in facts} for facts in kept] == [
        {"Fact 1", "Fact 2", "Fact 3", "Fact 5"},  # what is past goes first
        {"Fact 1", "Fact 3", "Fact 5"},
        {"Fact 1", "Fact 3"},
        {"Fact 3"},
    ]
