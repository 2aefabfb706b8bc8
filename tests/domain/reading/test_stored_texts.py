"""What is stored is the statement alone, as a person would write it down: no request, remark or question behind it."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


def texts(message: str) -> list[str]:
    return [candidate.text for candidate in extract(message)]


@pytest.mark.parametrize(
    "message, expected",
    [
        ("im left handed so flip the diagram please", ["Is left handed"]),
        ("we're a family of 6 so anything that folds away helps", ["Is a family of 6"]),
        ("I work nights so I can pick the kids up", ["Works nights so they can pick the kids up"]),
        (
            "I am working as a carer in Leeds since 2021, how much is a visa",
            ["Is working as a carer in Leeds since 2021"],
        ),
        ("Retired from the Navy in 2019, and now the VA wants yet another form", ["Retired from the Navy in 2019"]),
        ("I drive an old Hilux and the clutch is making a noise, what am I looking at", ["Drives an old Hilux"]),
        ("not a native speaker btw my english is not good", ["Is not a native speaker"]),
        ("just got promoted to shift lead at Chipotle lets gooo", ["Just got promoted to shift lead at Chipotle"]),
        ("not a drinker, never have been", ["Is not a drinker"]),
        ("I keep pigeons, have done since I was a lad", ["Keeps pigeons"]),
        ("I read these on a tiny phone on the bus", []),
        ("I'm doing my PGCE in Sheffield", ["Is doing their PGCE in Sheffield"]),
        ("Dear assistant, my name is Olek", ["Name is Olek"]),
        (
            "My wife and I grow tomatoes, mostly for friends",
            ["Grows tomatoes, mostly for friends with their wife"],
        ),
        ("I stayed at my brother's in Kent", ["Stayed at their brother's in Kent"]),
        ("gosh, if they cancel the bus I'm buying a scooter", []),
        ("We beat them by 43 points. 43!", []),
    ],
)
def test_extract__ends_with_the_statement(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


@pytest.mark.parametrize(
    "message, text",
    [
        ("i live in new zealand", "Lives in New Zealand"),
        ("im from stoke on trent", "Is from Stoke on Trent"),
        ("i was born in sao paulo", "Was born in Sao Paulo"),
        ("we live in a flat near the river", "Lives in a flat near the river"),
        ("i work in marketing at ikea", "Works in marketing at ikea"),
    ],
)
def test_extract__writes_places_with_capitals(message: str, text: str) -> None:
    assert text in texts(message)


def test_extract__takes_two_people_as_one_subject() -> None:
    assert texts("Basically my mum and dad split up when I was nine") == ["Mum and dad split up when they were nine"]


@pytest.mark.parametrize(
    "message, text",
    [
        ("we have a old lab named Bertie", "Has an old lab named Bertie"),
        ("I live with my mum in a old house", "Lives with their mum in an old house"),
    ],
)
def test_extract__corrects_the_article(message: str, text: str) -> None:
    assert text in texts(message)


@pytest.mark.parametrize(
    "message, expected",
    [
        ("I'm vegetarian btw, and lactose intolerant", ["Is vegetarian", "Is lactose intolerant"]),
        ("im diabetic and vegan", ["Is diabetic", "Is vegan"]),
        ("coeliac and allergic to nuts", ["Is coeliac", "Allergic to nuts"]),
        ("I'm tall and vegan", ["Is tall", "Is vegan"]),
        ("my little girl Tess is allergic to dairy", ["Daughter Tess is allergic to dairy"]),
        ("my flatmate's deathly allergic to cats", ["Flatmate is deathly allergic to cats"]),
        ("My daughter Anaya is allergic to egg, suggest a cake", ["Daughter Anaya is allergic to egg"]),
    ],
)
def test_extract__misses_nothing_that_must_not_be_eaten(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


@pytest.mark.parametrize(
    "message, expected",
    [
        ("working at Tesco sucks", []),
        ("he found something! driver for a hotel van", []),
        ("she is home. I am a driver for a hotel", ["Is a driver for a hotel"]),
    ],
)
def test_extract__takes_no_activity_for_an_omitted_subject(message: str, expected: list[str]) -> None:
    assert texts(message) == expected
