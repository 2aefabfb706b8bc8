"""What the person has is stored once, whichever verb of possession says it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.merging.decisions import Decision, Insert, Reinforce
from keepsake.domain.merging.merge import decide, merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, stated_memory

LATER = NOW + timedelta(minutes=5)


def _decision(known: str, message: str) -> Decision:
    return decide(extract(message)[-1], [stated_memory(known)], said_at=LATER)


@pytest.mark.parametrize(
    "known, message",
    [
        ("Owns a bakery", "I have a bakery"),
        ("Has a bakery", "I own a bakery"),
        ("Owns a bakery in Graz", "I have a bakery"),
        ("Has their own company", "I own a company"),
        ("Owns a boat", "I've got a boat"),
        ("Has a house", "we own our house"),
    ],
)
def test_possession__is_reinforced_by_another_verb(known: str, message: str) -> None:
    assert isinstance(_decision(known, message), Reinforce)


@pytest.mark.parametrize(
    "known, message",
    [
        ("Owns a car", "I have a car seat in the back"),
        ("Owns a car", "I have a boat"),
        ("Owns a bakery", "I have a bakery class on Mondays"),
        ("Owns a bakery", "I own two bakeries"),
        ("Owns a bakery in Graz", "I have a bakery in Lyon"),
        ("Owns a Tesla", "I have a Tesla Model 3"),
        ("Has a bike", "I rent a bike"),
    ],
)
def test_possession__of_something_else_is_stored(known: str, message: str) -> None:
    assert isinstance(_decision(known, message), Insert)


def test_possession__is_stored_once_from_one_message() -> None:
    decisions = merge(extract("I own a bakery. I have a bakery."), [], said_at=LATER)
    assert [type(decision) for decision in decisions].count(Insert) == 1
