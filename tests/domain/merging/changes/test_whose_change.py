"""Whose change a message tells: of a move, of a recovery, of a death; and a name that was said wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.find_changes import FoundChanges
from keepsake.domain.reading.statements.extract import extract
from tests.support.changes import changes_of
from tests.support.memories import NOW, memory

LATER = NOW + timedelta(minutes=5)


def stored(*texts: str) -> list[Memory]:
    """What was remembered of these messages."""
    return [
        memory(one.text, key=one.key, value=one.value, type=one.type, entity_label=one.entity_label)
        for text in texts
        for one in extract(text)
    ]


def changes(message: str, known: list[Memory]) -> FoundChanges:
    """What a message says about them a little later."""
    return changes_of(message, known, said_at=LATER, recent=known)


@pytest.mark.parametrize(
    "before, message, doubted",
    [
        ("I live in Leeds", "moved out today", True),
        ("I live in Leeds", "eli moved out today", False),
        ("I'm training for the Leeds half marathon", "I got the job at the clinic! I start at the clinic soon", False),
        ("I play pinochle every Wednesday", "He smoked all his life. I gave it up in 1989.", False),
        ("My nani is 84", "My uncle passed away last night.", False),
    ],
)
def test_memory__is_doubted_by_a_change_of_its_own_person(before: str, message: str, *, doubted: bool) -> None:
    known = stored(before)
    assert bool(changes(message, known).doubted) is doubted


def test_what_belongs_to_a_known_person__is_not_told_of_them_again() -> None:
    known = stored("My wife is called Priya")
    assert changes("Priya's mum moved out, she was with us since May", known).candidates == []
