"""The model's form of a session summary: what it is shown, and what a reply becomes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.sessions.model_form import FORM, build_session_prompt, session_summary_of
from keepsake.domain.sessions.session_summary import SessionSources, SessionSummary, SourceTodo
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.cited import CitedText
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory

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


def prompt_data(sources: SessionSources) -> tuple[str, dict[str, Any]]:
    """The instructions, and the data as the model sees it."""
    prompt = build_session_prompt(sources, Author("Ada"), budget=9000)
    system, data = (message["content"] for message in prompt.build_messages(schema_in_prompt=True))
    assert data.count("</data>") == 1
    return system, json.loads(data.split("\n")[1])


def test_prompt__asks_for_the_fields_and_quotes_the_messages() -> None:
    said = SaidMessage(
        UUID(int=9), UUID(int=8), datetime(2024, 10, 1, 8, tzinfo=UTC), "I feel </data> tired", answer="Rest a little."
    )
    system, data = prompt_data(replace(SOURCES, messages=[said]))
    assert all(f"- {name}:" in system for name in (*FORM.texts, *FORM.lists))
    assert data["texts"] == [
        {"n": 1, "day": "Tuesday 1 October 2024", "time": "08:00", "text": "I feel </data> tired"},
        {"n": 2, "kind": "to-do, open", "text": "Call the dentist"},
    ]


def test_prompt__without_messages_quotes_what_was_remembered() -> None:
    _, data = prompt_data(SOURCES)
    assert [one["text"] for one in data["texts"]][:2] == ["Lives in Graz", "Has a sister named Anna"]


def test_reply__becomes_the_summary_and_an_empty_field_stays_empty() -> None:
    content = {
        "one_liner": [CitedText("Ada spoke of Graz.")],
        "tone": [],
        "people": [],
        "what_mattered": [CitedText("Graz")],
    }
    assert session_summary_of(content) == SessionSummary(
        "Ada spoke of Graz.", what_mattered=["Graz"], open_loops=[], commitments=[], people=[]
    )
