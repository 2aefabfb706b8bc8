"""Whom "she" and "they" mean in what was said before; where somebody else was named since, nobody."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "before, message, texts",
    [
        ("I have twins and two dogs", "They're called Max and Rex", []),
        ("My daughter Carol is a nurse", "she is 19", ["Daughter Carol is 19 years old"]),
        ("My daughter Carol is a nurse", "I have four grandchildren, the oldest is Emily, she is 19",
         ["Has four grandchildren", "The oldest is Emily"]),
        ("My mom met Anna at work", "she is 60", []),
        ("My cousin Femke likes chess", "Grace Hill runs the shop; she speaks Dutch", []),
    ],
)  # fmt: skip
def test_pronoun__means_whom_was_mentioned_last(before: str, message: str, texts: list[str]) -> None:
    found = extract(message, previous=[PreviousMessage("user", before)])
    assert [one.text for one in found] == texts


@pytest.mark.parametrize("subject", ["he's", "hes", "she's", "she is"])
def test_what_describes_him__is_not_said_of_the_author(subject: str) -> None:
    said = f"{subject} a carpenter, divorced, 2 kids, allergic to nuts. nice"
    assert not [one.text for one in extract(said)]
    own = ["Is a carpenter", "Is divorced", "Has 2 kids"]
    assert [one.text for one in extract("I'm a carpenter, divorced, 2 kids")] == own


@pytest.mark.parametrize(
    "said, expected",
    [
        ("They fired me, unemployed since May", ["Was fired", "Is unemployed since May"]),
        ("They diagnosed me, have asthma", ["Was diagnosed", "Has asthma"]),
        ("Hell yeah, moving to Berlin in May", ["Is moving to Berlin in May"]),
        ("Shed is full, love gardening though", ["Loves gardening"]),
    ],
)
def test_what_they_did_to_the_author__goes_on_about_the_author(said: str, expected: list[str]) -> None:
    assert [one.text for one in extract(said)] == expected


@pytest.mark.parametrize(
    "said, texts",
    [
        ("My cousin is called Femke. She's a keeper", ["Cousin is named Femke", "Cousin Femke is a keeper"]),
        ("My cousin Femke is here, she's got a cold", ["Cousin is named Femke"]),
        ("I have a tortoise called Olaf, he's 34", ["Has a tortoise named Olaf", "Tortoise Olaf is 34 years old"]),
        ("My uncle is Swedish. He lives in Malmö", ["Uncle is Swedish", "Uncle lives in Malmö"]),
        ("My neighbour has to move the car", []),
        ("My sister, however, lives in Oslo", ["Sister lives in Oslo"]),
    ],
)
def test_what_is_said_of_another__has_their_name(said: str, texts: list[str]) -> None:
    assert [one.text for one in extract(said)] == texts
