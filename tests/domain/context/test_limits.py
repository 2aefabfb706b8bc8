"""The limits, and who may change them: nobody upwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.context.limits import Limits


def test_limits__are_ten_memories_and_six_hundred_tokens_and_twice_that_at_first() -> None:
    assert Limits.of(first_message=False) == Limits(10, 600)
    assert Limits.of(first_message=True) == Limits(10, 1200)


@given(first=st.booleans(), memories=st.none() | st.integers(), tokens=st.none() | st.integers())
def test_limits__no_caller_raises_them(*, first: bool, memories: int | None, tokens: int | None) -> None:
    default = Limits.of(first_message=first)
    asked = Limits.of(first_message=first, max_memories=memories, token_budget=tokens)
    assert 0 <= asked.memories <= default.memories
    assert 0 <= asked.tokens <= default.tokens
    assert asked.always_shown <= min(5, asked.memories)


@pytest.mark.parametrize("memories,always_shown", [(10, 5), (9, 5), (4, 2), (3, 2), (1, 1), (0, 0), (40, 5)])
def test_limits__always_shown_get_at_most_five_and_at_most_half(memories: int, always_shown: int) -> None:
    assert Limits(memories=memories).always_shown == always_shown
