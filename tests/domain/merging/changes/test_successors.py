"""Who has a new one of what people have one of may no longer have the old one."""

from __future__ import annotations

import pytest

from tests.support.changes import is_doubted


@pytest.mark.parametrize(
    "memory, message",
    [
        ("my manager is Denise", "New boss = Rajiv"),
        ("Has an old van", "got a new car"),
        ("Works as a nurse", "I've started a new job"),
    ],
)
def test_successors__cast_doubt_on_the_one_before(memory: str, message: str) -> None:
    assert is_doubted(memory, message)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("my manager is Denise", "the new manager at the shop is rude"),
        ("my manager is Denise", "I need a new boss"),
        ("my manager is Denise", "my sister has a new boss"),
        ("Has an old van", "my brother got a new car"),
        ("Works at Acme", "we have a new coffee machine at work too"),
    ],
)
def test_successors__of_somebody_else_or_wished_for_change_nothing(memory: str, message: str) -> None:
    assert not is_doubted(memory, message)
