"""A birth ends the pregnancy of which the child was born, in whatever words, and no other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import MemoryType
from tests.support.changes import changes_of
from tests.support.memories import NOW, memory, stated_memory


def ended_by(message: str, *statements: str) -> set[str]:
    """Which of the statements, said a day apart, a message ends or casts doubt on."""
    stored = {}
    for day, text in enumerate(statements):
        has_key = not text.startswith(("Hana", "Is expecting"))
        stated = stated_memory(text) if has_key else memory(text, type=MemoryType.RELATIONSHIP)
        stored[text] = stated._replace(valid_from=NOW + timedelta(days=day))
    said_at = NOW + timedelta(days=len(statements))
    found = changes_of(message, list(stored.values()), said_at=said_at)
    return {text for text, one in stored.items() if one.id in found.ended or one.id in found.doubted}


WIFE, PREGNANT, BABY = "my wife Hana is a nurse", "Hana is pregnant", "Is having a baby in July 2027"


@pytest.mark.parametrize(
    "message",
    [
        "My daughter Leila was born on Tuesday.",
        "our baby is here!",
        "our baby girl Leila arrived last night",
        "We had our baby on Friday",
        "We had twins this morning",
        "Hana gave birth on Tuesday",
        "Hana had the baby",
        "my wife finally had the baby",
        "Hana and I had a baby girl",
    ],
)
def test_birth__ends_the_pregnancy_of_the_wife_who_is_named_elsewhere(message: str) -> None:
    assert PREGNANT in ended_by(message, WIFE, PREGNANT)


@pytest.mark.parametrize(
    "message", ["My daughter Leila was born on Tuesday.", "our baby is here", "my wife gave birth to a girl"]
)
def test_birth__ends_what_the_author_was_expecting(message: str) -> None:
    assert ended_by(message, WIFE, PREGNANT, BABY) == {PREGNANT, BABY}


@pytest.mark.parametrize(
    "message",
    [
        "her sister had a baby",
        "Hana's sister had a baby",
        "my sister just had a baby",
        "my nephew was born on Friday",
        "We had our baby shower on Sunday",
        "My son Omar was born in Cairo in 2018",
        "our son was born three years ago",
        "Hana had a baby in 2015",
        "we had our first date here",
        "Hana is due in July",
        "our neighbor's baby is here",
    ],
)
def test_birth__of_another_or_of_long_ago_ends_no_pregnancy(message: str) -> None:
    assert ended_by(message, WIFE, PREGNANT) == set()


@pytest.mark.parametrize(
    "message",
    ["we lost the baby", "My wife had a miscarriage last week.", "Hana miscarried", "we lost our baby on Friday"],
)
def test_loss__ends_the_pregnancy_and_not_how_many_children_there_are(message: str) -> None:
    assert ended_by(message, WIFE, PREGNANT, "We have two kids") == {PREGNANT}


@pytest.mark.parametrize(
    "message",
    [
        "we lost the baby monitor again",
        "I lost my baby brother",
        "my sister had a miscarriage",
        "I had an abortion when I was 19",
        "Hana lost the keys",
    ],
)
def test_loss__of_something_else_or_long_ago_ends_no_pregnancy(message: str) -> None:
    assert ended_by(message, WIFE, PREGNANT) == set()


def test_birth__of_an_older_child_is_told_again_while_a_second_one_is_awaited() -> None:
    second = "Hana is pregnant again"
    assert ended_by("My daughter Leila was born at home", "My daughter Leila is 2", WIFE, second) == set()
    assert ended_by("our son Omar was born today", "My daughter Leila is 2", WIFE, second) == {second}


@pytest.mark.parametrize(
    "pregnancy, message, is_over",
    [
        ("My sister Ana is pregnant", "My daughter Leila was born on Tuesday", False),
        ("My sister Ana is pregnant", "my wife had the baby", False),
        ("My sister Ana is pregnant", "Ana had her baby", True),
        ("My sister Ana is pregnant", "my sister gave birth to a boy", True),
        ("My friend Hana is pregnant", "our son was born today", False),
        ("My friend Hana is pregnant", "Hana had her baby!", True),
        ("Is expecting a parcel", "our son was born today", False),
    ],
)
def test_birth__ends_the_pregnancy_of_her_who_gave_birth(pregnancy: str, message: str, *, is_over: bool) -> None:
    assert bool(ended_by(message, pregnancy)) is is_over
