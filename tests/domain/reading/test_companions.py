"""Plain speech around a statement: who is along, asides in its middle, and times that are no part of a name."""

from __future__ import annotations

import pytest

from keepsake.domain.memory import Candidate
from keepsake.domain.reading.statements.extract import extract


def said(message: str) -> list[Candidate]:
    return extract(message)


@pytest.mark.parametrize(
    "message, texts",
    [
        ("I live in Bath with my husband Marcus and our two cats", ["Lives in Bath", "Husband is named Marcus",
                                                                   "Has two cats"]),
        ("I live in Bath with my husband Marcus", ["Lives in Bath", "Husband is named Marcus"]),
        ("I hike every Sunday with my sister Anna", ["Hikes every Sunday with their sister Anna",
                                                     "Sister is named Anna"]),
        ("I love tea and like coffee", ["Loves tea"]),
        ("my mum doesn't live in Leeds anymore, she moved to York", ["Mum does not live in Leeds anymore",
                                                                     "Mum moved to York"]),
        ("We moved here from Denver in 2019", ["Moved here from Denver in 2019"]),
        ("we have a puppy called Rolo now", ["Has a puppy named Rolo"]),
        ("I play chess, like to read", ["Plays chess"]),
        ("my girlfriend Mira is here. She's vegetarian and I can't have lactose",
         ["Girlfriend is named Mira", "Girlfriend Mira is vegetarian", "Cannot have lactose"]),
        ("my sister Anna is here. She smokes and I'm allergic to smoke",
         ["Sister is named Anna", "Sister Anna smokes", "Allergic to smoke"]),
        ("I've been vegetarian since college", ["Is vegetarian"]),
    ],
)  # fmt: skip
def test_said__as_people_say_it(message: str, texts: list[str]) -> None:
    assert [one.text for one in said(message)] == texts
    assert all(one.quote in message for one in said(message))


@pytest.mark.parametrize(
    "message",
    [
        "If I lived in Bath with my husband Marcus I'd be happy",
        "I live in Bath with my husband",
        "I live in Bath with my husband I think",
    ],
)
def test_nobody__is_named_who_was_not(message: str) -> None:
    assert not [one.text for one in said(message) if "named" in one.text]


@pytest.mark.parametrize(
    "message, employer",
    [
        ("I start at Maine Med on Monday", "maine_med"),
        ("I work at Monzo in London on Fridays", "monzo_in_london"),
        ("I work at Early Monday", "early_monday"),
    ],
)
def test_employer__is_no_time_of_the_week(message: str, employer: str) -> None:
    assert ("fact|person|self|employer", employer) in {(one.key, one.value) for one in said(message)}


def test_habit__its_degree_is_no_part_of_what_it_is() -> None:
    (one,) = said("I drink way too much coffee")
    assert (one.key, one.text) == ("pattern|person|self|habit|drink_coffee", "Drinks way too much coffee")
