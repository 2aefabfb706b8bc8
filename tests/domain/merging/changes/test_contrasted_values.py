"""A value that another one of its class has taken the place of is doubted; what is added to it, is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.merging.changes.contrasted_values import find_contrasted, read_contrasts, values_of
from tests.support.memories import NOW, stated_memory


@pytest.mark.parametrize(
    "memory, message",
    [
        ("I drive a Mazda", "failed its test so badly, got a Yaris instead"),
        ("I use an iPhone", "finally a Pixel owner"),
        ("I do crossfit", "quit the box, doing pilates with my neighbors"),
        ("I'm learning Korean", "dropped Korean, it's Japanese for me"),
        ("I'm on a tourist visa in Lisbon", "residence permit arrived today"),
    ],
)
def test_another_value__is_a_contrast(memory: str, message: str) -> None:
    stored = stated_memory(memory)
    contrasts = read_contrasts(message)
    assert find_contrasted(contrasts, [stored], NOW + timedelta(minutes=5)) == [stored]
    assert values_of(contrasts)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("I drive a Mazda", "my brother sold his Yaris"),
        ("I drive a Mazda", "we got a second car, a Yaris"),
        ("I drive a Mazda", "the Mazda is finally fixed"),
        ("I play the guitar", "I play the piano now"),
        ("I speak Polish", "switched to German on the app"),
        ("My wife drives a Mazda", "got a Yaris instead"),
        ("I do crossfit", "pilates is great"),
    ],
)
def test_another_value__that_replaces_nothing(memory: str, message: str) -> None:
    assert find_contrasted(read_contrasts(message), [stated_memory(memory)], NOW + timedelta(minutes=5)) == []
