"""A statement that says the same and more takes the place of the shorter one, and the shorter one reinforces it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.agent.protection import without_protected
from keepsake.domain.memory import Source
from keepsake.domain.merging.decisions import Decision, Insert, Reinforce, Supersede
from keepsake.domain.merging.merge import decide, merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory, stated_memory

LATER = NOW + timedelta(minutes=5)
LONGER = [
    ("Has a bakery", "I own a bakery in Graz."),
    ("Has a garden", "I have a garden behind the house."),
    ("Has a dog", "I have a dog named Rex."),
    ("Has a sister", "I have a sister named Anna."),
    ("Has a sister", "My sister is called Anna."),
    ("Has a daughter", "my daughter's name is Emma"),
    ("Plays the cello", "I play the cello in an orchestra."),
    ("Plays the cello", "I play the cello every Sunday."),
    ("Wants to run a marathon", "I want to run a marathon in Berlin."),
]


def _decision(known: str, message: str) -> Decision:
    return decide(extract(message)[0], [stated_memory(known)], said_at=LATER)


@pytest.mark.parametrize("known, message", LONGER)
def test_a_longer_statement__replaces_the_shorter(known: str, message: str) -> None:
    decision = _decision(known, message)
    assert isinstance(decision, Supersede)
    assert decision.adds_detail


@pytest.mark.parametrize("shorter, message", LONGER)
def test_a_shorter_statement__reinforces_the_longer(shorter: str, message: str) -> None:
    longer = stated_memory(extract(message)[0].text)
    own_words = shorter.replace("Has", "I have").replace("Plays", "I play").replace("Wants", "I want")
    said = extract(own_words)[0]
    assert isinstance(decide(said, [longer], said_at=LATER), Reinforce)


@pytest.mark.parametrize(
    "known, message",
    [
        ("Has a car", "I have a car with no brakes."),
        ("Has a car", "I have a car seat in the back."),
        ("Owns a Tesla", "I have a Tesla Model 3."),
        ("Has a bakery in Graz", "I own a bakery in Lyon."),
        ("Has a garden", "I have a garden and a shed."),
        ("Has a sister", "I have a brother named Tim."),
        ("Has a sister in Oslo", "I have a sister named Anna."),
        ("Has two sisters", "I have a sister named Anna."),
        ("Likes tea", "I like tea with milk."),
        ("Wants to run a marathon", "I want to run a marathon in May."),
        ("Has a boat", "I have a boat with my sister."),
        ("Does not have a shop", "I have a shop in Graz."),
    ],
)
def test_what_says_something_else__is_stored_beside_it(known: str, message: str) -> None:
    assert isinstance(_decision(known, message), Insert)


def test_two_dogs__are_both_stored() -> None:
    said = extract("I have a dog called Rex and a dog called Pip.")
    decisions = merge(said, [stated_memory("Has a dog")], said_at=LATER)
    stored = [decision.candidate.text for decision in decisions if isinstance(decision, Insert | Supersede)]
    assert stored == ["Has a dog named Rex", "Has a dog named Pip"]


def test_what_the_person_wrote__stays_as_it_is() -> None:
    own = memory("Has a bakery", source=Source.USER, confidence=1.0)
    assert isinstance(decide(extract("I own a bakery in Graz.")[0], [own], said_at=LATER), Insert)


def test_an_agent__replaces_nothing_of_the_persons_own() -> None:
    known = stated_memory("Has a bakery")
    decisions = merge(extract("I own a bakery in Graz."), [known], said_at=LATER)
    assert [type(one) for one in without_protected(decisions, [known])] == [Insert]


def test_importance__is_kept() -> None:
    known = memory("Has a bakery", importance=2, key="fact|person|self|has|bakery", value="yes")
    decision = decide(extract("I own a bakery in Graz.")[0], [known], said_at=LATER)
    assert isinstance(decision, Supersede)
    assert decision.candidate.importance == 2
