"""A bare correction is about the statement that its value fits, of those that the message before made."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory


def stored(text: str) -> list[Memory]:
    """What was remembered of a message, newest first."""
    return [
        memory(said.text, key=said.key, value=said.value, type=said.type, subtype=said.subtype)
        for said in reversed(extract(text))
    ]


@pytest.mark.parametrize(
    "before, correction, text",
    [
        ("I moved to Lisbon last month and started a job at a bakery", "actually it's Porto", "Lives in Porto"),
        ("I started a job at a bakery and moved to Lisbon", "actually it's Porto", "Lives in Porto"),
        ("I live in Lisbon and I work at Acme", "actually it's in Porto", "Lives in Porto"),
        ("I am 34 and my name is Ana", "actually it's Anna", "Name is Anna"),
        ("I work at a bakery and I live in Rome", "actually it's a cafe", "Works at a cafe"),
        ("I live in Rome and I'm 34", "actually it's 35", "Is 35 years old"),
    ],
)
def test_correction__is_about_the_statement_of_its_kind(before: str, correction: str, text: str) -> None:
    assert [one.text for one in extract(correction, recent=stored(before))] == [text]


@pytest.mark.parametrize(
    "before, correction",
    [
        ("I live in Lisbon and I work at Acme", "actually it's Porto"),
        ("My name is Ana and I live in Rome", "actually it's Milan"),
        ("I am single", "actually it's complicated"),
        ("I started a job at a bakery and moved to Lisbon", "actually it's raining"),
    ],
)
def test_correction__that_may_be_about_several_corrects_none(before: str, correction: str) -> None:
    assert extract(correction, recent=stored(before)) == []


def test_correction__is_not_about_what_an_earlier_message_stated() -> None:
    day_before = NOW - timedelta(days=1)
    home = memory("Lives in Graz", key="fact|person|self|home", value="graz", valid_from=day_before)
    plan = stored("I want to learn Greek")[0]
    assert extract("actually it's Linz", recent=[plan, home]) == []
