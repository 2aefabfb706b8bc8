"""A message that begins as a correction replaces the date, number or name of the message before it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.merging.changes.corrected_values import read_correction
from keepsake.domain.merging.changes.find_changes import find_changes
from keepsake.domain.merging.changes.read_change_statements import read_changes
from tests.support.memories import NOW, stated_memory


@pytest.mark.parametrize(
    "memory, message, corrected",
    [
        (
            "my exam is on the 9th of March",
            "oops no read the letter wrong, 19th of March",
            ("9th of March", "19th of March"),
        ),
        ("my daughter is called Kiera", "sorry autocorrect, its Ciara with a C", ("Kiera", "Ciara")),
        ("my exam is on the 9th of March", "sorry, what is the weather on the 9th of March?", None),
        ("my exam is on the 9th of March", "and the party is on the 19th of March", None),
        ("my daughter is called Kiera", "sorry, its Roberto again", None),
    ],
)
def test_correction(memory: str, message: str, corrected: tuple[str, str] | None) -> None:
    stored = stated_memory(memory)
    assert read_correction(message, NOW + timedelta(minutes=1), [stored]) == corrected
    assert read_correction(message, NOW + timedelta(hours=2), [stored]) is None


def test_correction__is_stated_in_the_place_of_the_memory() -> None:
    stored, said_at = stated_memory("my daughter is called Kiera"), NOW + timedelta(minutes=1)
    changes = read_changes("sorry autocorrect, its Ciara with a C", said_at=said_at, recent=[stored])
    found = find_changes(changes, [stored], said_at=said_at)
    assert ([one.text for one in found.candidates], list(found.ended)) == (["Daughter is named Ciara"], [stored.id])


def test_pronoun__is_about_the_relative_of_the_message_before() -> None:
    son, nephew = stated_memory("My son goes to St Mary's primary"), stated_memory("My nephew goes to Hill primary")
    said_at = NOW + timedelta(minutes=1)
    changes = read_changes("He's started at the big school, Parkside Academy", said_at=said_at, recent=[son])
    assert list(find_changes(changes, [son, nephew], said_at=said_at).doubted) == [son.id]
    alone = read_changes("He's started at the big school, Parkside Academy", said_at=said_at)
    assert not find_changes(alone, [son, nephew], said_at=said_at).doubted
