"""Who the assistant is talking with, from what was said and from the profile."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.context.identity_line import UNNAMED, identity_line, identity_slot
from tests.support.memories import NOW, memory


@pytest.mark.parametrize(
    "text,value,shown",
    [
        ("Name is John Smith", "john_smith", "John Smith"),
        ("Name is O'Brien", "o_brien", "O'Brien"),
        ("Heißt Jörg", "jörg", "Jörg"),
        ("Name is Ada", None, "Name is Ada"),
        ("Name is Ada", "bea", "bea"),
    ],
)
def test_name__is_written_as_it_was_said(text: str, value: str | None, shown: str) -> None:
    assert identity_line([memory(text, key="fact|person|self|name", value=value)]).name == shown


def test_line__what_was_said_comes_before_the_profile_which_fills_the_rest() -> None:
    nickname = memory("Goes by Jo", key="fact|person|self|nickname", value="jo")
    line = identity_line([nickname], name="John", nickname="Johnny", pronouns="he/him")
    assert (line.name, line.nickname, line.pronouns) == ("John", "Jo", "he/him")
    assert line.memory_ids == (nickname.id,)


def test_line__the_newest_statement_counts() -> None:
    old = memory("Name is Ada", key="fact|person|self|name", value="ada", valid_from=NOW - timedelta(days=9))
    newer = memory("Name is Bea", key="fact|person|self|name", value="bea")
    for order in ([old, newer], [newer, old]):
        assert identity_line(order).name == "Bea"


def test_line__nothing_known_is_a_guest() -> None:
    assert identity_line([], name="", nickname=None) == UNNAMED


@pytest.mark.parametrize(
    "key",
    [
        None,
        "fact|person|self|home",
        "relationship|person|anna|name",
        "fact|person|self|name|x",
        "name",
        "fact|place|self|name",
    ],
)
def test_slot__other_statements_are_not_part_of_it(key: str | None) -> None:
    assert identity_slot(memory(key=key)) is None
