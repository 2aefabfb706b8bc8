"""Who somebody is and must not be given: introductions in one breath, and what always belongs in the prompt."""

from __future__ import annotations

import pytest

from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import Candidate, Subtype
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.screening.screen import screen

REMEMBERED = [
    ("Hello! I'm Rieke, 41, a plumber from Bremen",
     ["Name is Rieke", "Is 41 years old"]),
    ("My name is Rieke, 41, from Bremen", ["Name is Rieke", "Is 41 years old", "Is from Bremen"]),
    ("I'm Rieke, I live in Bremen", ["Name is Rieke", "Lives in Bremen"]),
    ("Good evening, I'm Rieke", ["Name is Rieke"]),
    ("We also have a goat called Berta", ["Has a goat named Berta"]),
    ("I'd like to learn Welsh", ["Would like to learn Welsh"]),
    ("I take my tea sweet", ["Takes their tea sweet"]),
    ("I quit vaping in 2021", ["Quit vaping in 2021"]),
    ("we have two sons, ole (9) and nils (5)", ["Has two sons, ole (9) and nils (5)"]),
    ("My husband Ben and I have two daughters, Ida (4) and Eva (1)",
     ["Has two daughters, Ida (4) and Eva (1)", "Husband is named Ben"]),
    ("I'm not a beach person", ["Is not a beach person"]),
]  # fmt: skip

NOT_REMEMBERED = [
    "As a joke: I live in Atlantis",
    "as a joke, call me Zeus",
    "I'd like to learn more about your fees",
    "I'd like to learn what this button does",
]


@pytest.mark.parametrize("said, texts", REMEMBERED)
def test_extract__hears_who_they_are(said: str, texts: list[str]) -> None:
    assert [found.text for found in extract(said)] == texts


@pytest.mark.parametrize("said", NOT_REMEMBERED)
def test_extract__takes_no_name_or_joke_for_a_fact(said: str) -> None:
    assert extract(said) == []


@pytest.mark.parametrize(
    "said",
    ["I'm allergic to walnuts", "I have a severe pollen allergy", "I'm fructose intolerant", "I'm a vegetarian",
     "I follow a low-salt diet", "I keep kosher"],
)  # fmt: skip
def test_extract__what_they_cannot_have_matters_most(said: str) -> None:
    """An allergy is kept with little confidence, and has to stand in the prompt all the same."""
    (found,) = extract(said)
    assert (found.subtype, found.importance) == (Subtype.PREFERENCE, MAX_IMPORTANCE)
    kept = screen(found)
    assert isinstance(kept, Candidate)
    assert kept.importance == MAX_IMPORTANCE
