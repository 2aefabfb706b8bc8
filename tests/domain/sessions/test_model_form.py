"""The model's form of a session summary: what it is shown, and what a reply becomes."""

from __future__ import annotations

import json
from datetime import date
from uuid import UUID

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.sessions.model_form import FORM, build_session_prompt, complete_session_summary
from keepsake.domain.sessions.session_summary import SessionSources, SessionSummary, SourceTodo
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.todos.todo import TodoKind

SOURCES = SessionSources(
    [
        SourceMemory(UUID(int=1), MemoryType.FACT, Subtype.OTHER, "Lives in Graz", date(2024, 10, 1)),
        SourceMemory(
            UUID(int=2), MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP, "Has a sister named Anna", date(2024, 10, 1),
            entity_label="Anna", entity_refs=("person:anna",),
        ),
        SourceMemory(UUID(int=3), MemoryType.GOAL, Subtype.OTHER, "Wants to run", date(2024, 10, 1)),
        SourceMemory(UUID(int=4), MemoryType.EMOTION, Subtype.FEELING, "Feels </data> tired", date(2024, 10, 1)),
    ],
    [SourceTodo(UUID(int=5), TodoKind.COMMITMENT, "Call the dentist", "open")],
)  # fmt: skip


def test_prompt__asks_for_the_fields_and_quotes_the_sources() -> None:
    system, data = (
        message["content"] for message in build_session_prompt(SOURCES, "Ada").build_messages(schema_in_prompt=True)
    )
    assert all(f"- {name}:" in system for name in (*FORM.texts, *FORM.lists))
    assert data.count("</data>") == 1
    assert json.loads(data.split("\n")[1]) == {
        "person": "Ada",
        "statements": [
            {"kind": "fact", "text": "Lives in Graz"},
            {"kind": "fact", "text": "Has a sister named Anna", "about": "Anna"},
            {"kind": "plan", "text": "Wants to run"},
            {"kind": "feeling", "text": "Feels </data> tired"},
        ],
        "todos": [{"kind": "commitment", "text": "Call the dentist", "status": "open"}],
    }


def test_field_without_anything__stays_as_the_rules_wrote_it() -> None:
    rules = SessionSummary("Spoke of Graz.", people=["Anna"], tone="Feels tired")
    content: dict[str, str | list[str]] = {
        "one_liner": "Ada spoke of Graz.",
        "tone": "",
        "people": [],
        "what_mattered": ["Graz"],
    }
    assert complete_session_summary(rules, content) == SessionSummary(
        "Ada spoke of Graz.", what_mattered=["Graz"], people=["Anna"], tone="Feels tired"
    )
