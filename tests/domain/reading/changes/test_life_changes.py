"""The changes that a classifier of words finds in sentences."""

from __future__ import annotations

from keepsake.domain.reading import read
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, changed_parts
from tests.support.memories import NOW, stated_memory

_TOLD = "I quit my job at Tesco today"


def test_a_change__is_one_of_its_part_of_life() -> None:
    work = stated_memory("I work at Tesco")
    (change,) = read(_TOLD, said_at=NOW, recent=[work]).changes
    assert max(change.parts, key=lambda part: change.parts[part]) == "work"
    assert change.last == (work.id,)
    assert change.parts == changed_parts(_TOLD, minimum=MIN_COMPARED)


def test_an_ordinary_message__tells_no_change() -> None:
    assert read("made pancakes for the kids this morning", said_at=NOW).changes == ()
