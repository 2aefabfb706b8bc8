"""What ends: an animal that died, a couple that parted, a job or a diet that is over; and what stands against it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory
from keepsake.domain.merging.decisions import Drop, Retract, Supersede
from keepsake.domain.merging.merge import merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory

LATER = NOW + timedelta(minutes=5)


def stored(*messages: str) -> list[Memory]:
    return [
        memory(said.text, key=said.key, value=said.value, type=said.type, subtype=said.subtype)
        for message in messages
        for said in extract(message)
    ]


def closed(message: str, known: list[Memory]) -> list[str]:
    """The texts of what the message closes."""
    decisions = merge(extract(message, recent=known), known, said_at=LATER)
    ids = {decision.old_id for decision in decisions if isinstance(decision, Retract | Supersede)}
    return [stored.text for stored in known if stored.id in ids]


@pytest.mark.parametrize(
    "before, ending, gone",
    [
        (["I'm vegan"], "I stopped being vegan last month", ["Is vegan"]),
        (["My mum lives in Leeds"], "my mum doesn't live in Leeds anymore", ["Mum lives in Leeds"]),
        (["My mum lives in Leeds"], "My mum just moved to York", ["Mum lives in Leeds"]),
        (["My mum lives in Leeds"], "My dad moved to York", []),
        (["I'm divorced"], "I'm not divorced!", ["Is divorced"]),
        (["I have a hamster"], "Sadly our hamster died on Sunday", ["Has a hamster"]),
        (["We have a parrot called Kiwi", "My parrot Kiwi is 9"], "My parrot Kiwi passed away",
         ["Has a parrot named Kiwi", "Parrot Kiwi is 9 years old"]),
        (["We have a parrot called Kiwi", "I have a rabbit named Flop"], "our rabbit had to be put down",
         ["Has a rabbit named Flop"]),
        (["I have a rabbit", "I have a rabbit named Flop"], "my rabbit died",
         ["Has a rabbit", "Has a rabbit named Flop"]),
        (["My boyfriend is Anton", "I'm in a relationship"], "My boyfriend and I broke up",
         ["Boyfriend is named Anton", "Is in a relationship"]),
        (["My wife's name is Ines"], "my wife left me", ["Wife is named Ines"]),
        (["I work at Brauhaus Nord"], "I got laid off yesterday", ["Works at Brauhaus Nord"]),
        (["I work at Brauhaus Nord"], "I lost my job", ["Works at Brauhaus Nord"]),
    ],
)  # fmt: skip
def test_merge__what_ended_is_closed(before: list[str], ending: str, gone: list[str]) -> None:
    assert closed(ending, stored(*before)) == gone


@pytest.mark.parametrize(
    "before, said",
    [
        (["I have a rabbit named Flop", "I have a rabbit named Hop"], "My rabbit died"),
        (["I have a rabbit named Flop"], "My cat died"),
        (["My sister is Ines"], "My girlfriend and I broke up"),
        (["I work at Brauhaus Nord"], "I got promoted last week"),
        (["I work at Brauhaus Nord"], "I was fired up last night"),
        (["My name is Paula"], "I am Spartacus"),
        (["My name is Paula"], "I'm Paul"),
    ],
)
def test_merge__what_did_not_end_stands(before: list[str], said: str) -> None:
    assert closed(said, stored(*before)) == []


def test_merge__an_introduction_may_still_change_the_name() -> None:
    assert closed("Hello, I'm Paul", stored("My name is Paula")) == ["Name is Paula"]


def test_merge__an_ending_said_twice_is_one() -> None:
    decisions = merge(extract("My dog died. My dog died yesterday."), [], said_at=LATER)
    assert len([decision for decision in decisions if not isinstance(decision, Drop)]) == 1


@pytest.mark.parametrize("message", ["I left Ericsson in June", "I quit Ericsson last week", "I left Ericsson"])
def test_employer__that_was_left_on_a_day_is_the_one_that_is_known(message: str) -> None:
    assert closed(message, stored("I work at Ericsson")) == ["Works at Ericsson"]
