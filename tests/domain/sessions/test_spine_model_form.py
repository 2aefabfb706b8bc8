"""The model's form of the spine: each item names the statement it rests on, and says nothing else."""

from __future__ import annotations

import json
from datetime import date
from uuid import UUID

import pytest

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.sessions.session_summary import SessionSources, SourceTodo
from keepsake.domain.sessions.spine import Spine, SpineItem, SpineSection
from keepsake.domain.sessions.spine_model_form import FORM, build_spine_prompt, spine_of
from keepsake.domain.summaries.sources import SourceMemory

DAY = date(2024, 10, 1)
SOURCES = SessionSources(
    [
        SourceMemory(UUID(int=1), MemoryType.FACT, Subtype.OTHER, "Lives in Graz with two cats", DAY),
        SourceMemory(UUID(int=2), MemoryType.GOAL, Subtype.OTHER, "Wants to run a </data> marathon", DAY),
        SourceMemory(
            UUID(int=3), MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP, "Has a sister named Anna", DAY,
            entity_refs=("person:anna",),
        ),
        SourceMemory(UUID(int=4), MemoryType.EMOTION, Subtype.FEELING, "Feels tired", DAY),
    ],
    [SourceTodo(UUID(int=5), TodoKind.COMMITMENT, "Call the dentist", "open")],
)  # fmt: skip


def spine(**lists: list[str]) -> Spine | None:
    """What a reply with these lists becomes."""
    prompt = build_spine_prompt(SOURCES)
    reply = json.dumps({name: lists.get(name, []) for name in FORM.lists})
    return spine_of(FORM.read(reply, prompt.evidence).content)


def test_prompt__numbers_what_holds() -> None:
    system, data = (one["content"] for one in build_spine_prompt(SOURCES).build_messages(schema_in_prompt=False))
    assert all(f"- {name}:" in system for name in FORM.lists)
    assert data.count("</data>") == 1
    assert [(one["n"], one.get("kind"), one["text"]) for one in json.loads(data.split("\n")[1])["texts"]] == [
        (1, None, "Lives in Graz with two cats"),
        (2, None, "Wants to run a </data> marathon"),
        (3, None, "Has a sister named Anna"),
        (4, "to-do", "Call the dentist"),
    ]


def test_items__rest_on_the_statement_that_they_cite() -> None:
    written = spine(
        profile=["Lives in Graz [1]."],
        projects=["a marathon [2]"],
        people=["sister Anna [3, 1]"],
        open_loops=["dentist [4]"],
    )
    assert written == {
        SpineSection.PROFILE: [SpineItem(UUID(int=1), "Lives in Graz", "Lives in Graz with two cats")],
        SpineSection.PROJECTS: [SpineItem(UUID(int=2), "a marathon", "Wants to run a </data> marathon")],
        SpineSection.PEOPLE: [SpineItem(UUID(int=3), "sister Anna", "Has a sister named Anna")],
        SpineSection.OPEN_LOOPS: [SpineItem(UUID(int=5), "dentist", "Call the dentist")],
    }


@pytest.mark.parametrize("item", ["Lives in Graz", "Lives in Graz [7]", "Lives in Vienna [1]", "Lives with 3 cats [1]"])
def test_item__without_its_statement_or_with_more_than_it_says_is_dropped(item: str) -> None:
    written = spine(profile=[item], people=["sister Anna [3]"])
    assert written is not None
    assert written[SpineSection.PROFILE] == []


def test_spine__without_any_item_on_a_statement_is_none() -> None:
    assert spine(profile=["Lives in Graz"]) is None
