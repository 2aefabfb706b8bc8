"""The part of a life that a memory is about, by its key, its kind and its words."""

from __future__ import annotations

import pytest

from keepsake.domain.merging.parts_of_life import parts_of
from tests.support.memories import memory, stated_memory


@pytest.mark.parametrize(
    "statement, part",
    [
        ("I live in Leeds", "home"),
        ("I work at Tesco", "work"),
        ("I have a dog named Bella", "pet"),
        ("my sister lives in Perth", "relative"),
        ("my boyfriend Tom is a chef", "partner"),
        ("I'm single", "partner"),
        ("I'm vegan", "diet"),
        ("I go by Dani", "name"),
        ("I'm allergic to peanuts", "health"),
        ("I want to run a marathon", "plan"),
    ],
)
def test_memory__is_about_its_part(statement: str, part: str) -> None:
    assert part in parts_of(stated_memory(statement))


def test_a_pet__is_no_possession_and_a_partner_no_other_relative() -> None:
    assert "possession" not in parts_of(stated_memory("I have a dog named Bella"))
    assert "relative" not in parts_of(stated_memory("my boyfriend Tom is a chef"))


def test_what_is_under_way__is_a_plan_only_where_it_is_nothing_else() -> None:
    assert parts_of(memory("Is waiting for a parcel", key="fact|person|self|is|waiting_for_a_parcel")) == {"plan"}
    assert parts_of(memory("Finds mornings hard")) == frozenset()
