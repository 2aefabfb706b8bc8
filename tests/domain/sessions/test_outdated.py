"""What a model says is outdated: numbers that exist, a memory, and something else of the same subject."""

from __future__ import annotations

import json
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.sessions.outdated import OutdatedMemory, find_outdated
from keepsake.domain.sessions.session_summary import SessionSources, SourceTodo
from keepsake.domain.sessions.spine_model_form import FORM, build_spine_prompt
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.sources import SourceMemory


def memory(number: int, text: str, *refs: str) -> SourceMemory:
    """A memory, the first ones said first."""
    day = date(2024, 10, number)
    return SourceMemory(UUID(int=number), MemoryType.FACT, Subtype.OTHER, text, day, entity_refs=refs)


SOURCES = SessionSources(
    [
        memory(1, "Is thinking about learning the cello"),
        memory(2, "Niece Patty wants Gene in a home", "person:patty"),
        memory(3, "Plays the cello since September"),
        memory(4, "Brother Gene moves in on 19 April", "person:gene"),
    ],
    [SourceTodo(UUID(int=5), TodoKind.COMMITMENT, "Build a ramp", "open")],
    notes=[
        Citable("Patty gave in: no home for Gene.", kind="session", message_ids=(UUID(int=8),), row_id=UUID(int=6)),
        Citable("Walt played the Swan on the cello.", kind="session", message_ids=(UUID(int=9),), row_id=UUID(int=7)),
    ],
)  # numbered 1 to 4, 5 the to-do, 6 and 7 the notes


def outdated(items: Any, **lists: list[str]) -> list[OutdatedMemory]:
    """What is found in a reply."""
    prompt = build_spine_prompt(SOURCES)
    reply = {name: [] for name in FORM.lists} | lists | {"outdated": items}
    return find_outdated(FORM.read(json.dumps(reply), prompt.evidence).content, SOURCES)


@pytest.mark.parametrize("item", ["1 by [3]", "[1] by [3]", "1: 3", "1 by 3.", "1 by [3, 3]", "n 1 is over, see [3]"])
def test_a_statement__is_named_with_what_shows_it_in_whatever_form(item: str) -> None:
    assert outdated([item]) == [OutdatedMemory(UUID(int=1), [UUID(int=3)], [])]


def test_notes__show_it_by_their_messages() -> None:
    assert outdated(["2 by [6]", "1 by [7, 3]"]) == [
        OutdatedMemory(UUID(int=2), [], [UUID(int=8)]),
        OutdatedMemory(UUID(int=1), [UUID(int=3)], [UUID(int=9)]),
    ]


@pytest.mark.parametrize(
    "item", ["1 by [40]", "40 by [1]", "1", "1 by [1]", "is over", "", "5 by [3]", "6 by [3]", "2 by [3]", "2 by [4]"]
)
def test_wrong_numbers__what_is_no_memory_and_other_subjects_are_left_out(item: str) -> None:
    assert outdated([item]) == []


@pytest.mark.parametrize("items", [None, "nothing", 7, {"1": 3}, [[1], {"number": 1}]])
def test_a_reply__of_another_shape_names_nothing_and_spoils_nothing(items: Any) -> None:
    assert outdated(items) == []


def test_what_is_outdated__is_no_text_by_itself() -> None:
    prompt = build_spine_prompt(SOURCES)
    reply = json.dumps({name: [] for name in FORM.lists} | {"outdated": ["1 by [3]"]})
    assert not FORM.read(reply, prompt.evidence).has_something
