"""Phrases of a table in a text."""

from __future__ import annotations

import pytest

from keepsake.domain.context.phrase_lookup import PhraseLookup

LOOKUP = PhraseLookup.of(
    {
        "ice cream": ("food",),
        "ice": ("weather",),
        "knee": ("pain",),
        "allergy": ("allergy",),
        "bake": ("cooking",),
        "jog": ("fitness",),
        "dress": ("clothes",),
        "needle": ("crafts", "medicine"),
        "color blind": ("access",),
    }
)


@pytest.mark.parametrize(
    "text, names",
    [
        ("Both KNEES hurt", ["pain"]),
        ("her sister\u2019s allergies", ["allergy"]),
        ("we were baking, and baked", ["cooking", "cooking"]),
        ("went jogging", ["fitness"]),
        ("two dresses", ["clothes"]),
        ("he is colour-blind", ["access"]),
        ("jo", []),
    ],
)
def test_find__any_form_of_a_word(text: str, names: list[str]) -> None:
    assert [name for found in LOOKUP.find(text) for name in found] == names


def test_find__the_longest_phrase_counts() -> None:
    assert list(LOOKUP.find("ice cream")) == [("food",)]
    assert list(LOOKUP.find("black ice")) == [("weather",)]


def test_find__all_that_a_phrase_names() -> None:
    assert list(LOOKUP.find("a needle")) == [("crafts", "medicine")]
