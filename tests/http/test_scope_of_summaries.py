"""Texts made of memories tell none that is reserved for another persona, or of a type that is not allowed any more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.support.summaries import forget_waiting, rows, summarize, waiting

GOAL = "Wants to learn sailing"


Rows = list[tuple[str, dict[str, Any]]]
"""Tables, each with a row for it."""


def of_sessions(scene: Scene, memory: UUID, persona: str | None) -> dict[str, Rows]:
    """What is told of a session and of late, each text with its name."""
    now, session = scene.clock.now(), uuid4()
    said = {"generator": "llm", "source_ids": [memory], "persona_id": persona}
    opened = {"id": session, "persona_id": persona, "started_at": now, "last_activity_at": now, "ended_at": now}
    summary = {"session_id": session, "ended_at": now, "one_liner": "Spoke of session sailing", **said}
    state = {"last_interaction": now, "rolling_summary": "Spoke of rolling sailing", **said}
    return {
        "session": [("public.user_memory_sessions", opened), ("public.user_memory_session_summaries", summary)],
        "rolling": [("public.user_memory_session_state", state)],
    }


def of_periods(scene: Scene, memory: UUID) -> dict[str, Rows]:
    """What is told of the week before, today, the days before, and what is merged of them."""
    today, made = scene.clock.now().date(), {"generator": "llm", "memory_ids": [memory]}
    monday = today - timedelta(days=today.weekday() + 7)
    year, week, _ = monday.isocalendar()
    dates = {"year": year, "week_number": week, "week_start_date": monday, "week_end_date": monday + timedelta(days=6)}
    weekly = {**dates, "emotional_summary": "", "summary": "A week of week sailing", **made}
    hashes = dict.fromkeys(("facts_hash", "day_hash", "history_hash"), "x")
    merged = {"day": today, "context": "Wants merged sailing", "memory_ids": [memory], **hashes}
    daily = {"summary_date": today, "summary": "A day of day sailing", **made}
    span = {"start_date": today - timedelta(days=7), "end_date": today - timedelta(days=1), "days_hash": "x"}
    return {
        "week": [("public.user_memory_weekly_summaries", weekly)],
        "merged": [("keepsake.context_cache", merged)],
        "day": [("public.user_memory_daily_summaries", daily)],
        "history": [("public.user_memory_history_summaries", {**span, "summary": "Days of history sailing", **made})],
    }


def write_texts(scene: Scene, memory: UUID, *texts: str, persona: str | None = None) -> None:
    """Store these texts as if they had been made of a memory."""
    tables = of_sessions(scene, memory, persona) | of_periods(scene, memory)
    for table, row in (row for name in texts for row in tables[name]):
        columns = {"user_id": scene.ada.user_id, "profile_id": scene.ada.profile_id, **row}
        marks = ", ".join(f"%({column})s" for column in columns)
        statement: Any = f"insert into {table} ({', '.join(columns)}) values ({marks})"
        scene.db.run(statement, columns)


def write_spine(scene: Scene, memory: UUID, section: str = "PROFILE") -> None:
    """Store a version of the spine that names the memory in words of its own."""
    scene.db.run(
        "insert into public.user_memory_spine (user_id, profile_id, source_ids, version, content, message_count,"
        " generator) values (%s, %s, array[%s]::uuid[], 1, jsonb_build_object(%s::text,"
        " jsonb_build_array(jsonb_build_object("
        "'id', %s::text, 'text', 'Learns spine sailing', 'source', %s::text))), 1, 'llm')",
        (scene.ada.user_id, scene.ada.profile_id, memory, section, memory, GOAL),
    )


async def first_context(functions: Functions, scene: Scene, text: str = "Hi", persona: str | None = None) -> str:
    """The context, without memories, for the first message of a new conversation with a persona."""
    chat = scene.people.conversation(scene.ada, persona_id=persona)
    body = {"conversation_id": str(chat), "message_id": str(scene.says(text, chat=chat))}
    answer = await functions.call("inject-memory", {**body, "max_memories": 0})
    assert answer.status_code == 200, answer.text
    context: str = answer.json()["context"]
    return context


def reserve(scene: Scene, memory: UUID) -> None:
    """Ada reserves the memory for Mona, as through REST."""
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.set_memory_persona(%s, 'mona')", (memory,))


def forbid_goals(scene: Scene, _: UUID | None = None) -> None:
    """Ada allows no goals any more, as through REST."""
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute(
            "insert into public.user_memory_settings (user_id, allowed_types)"
            " values (auth.uid(), '{fact,emotion,pattern,relationship}')"
        )


@pytest.mark.parametrize("change", [reserve, forbid_goals])
@pytest.mark.parametrize("texts", [("session", "rolling", "merged"), ("session", "day", "history"), ("week",)])
async def test_a_first_context__tells_no_text_that_rests_on_what_may_not_be_told(
    functions: Functions, scene: Scene, texts: tuple[str, ...], change: Any
) -> None:
    memory = scene.people.memory(scene.ada, GOAL, memory_type="goal", importance=2, source="llm_extraction")
    write_texts(scene, memory, *texts)
    write_spine(scene, memory)
    before = await first_context(functions, scene)
    shown = {name for name in (*texts, "spine") if f"{name} sailing" in before}
    assert shown == {*texts, "spine"}, before
    change(scene, memory)
    assert "sailing" not in await first_context(functions, scene)


async def test_the_persona__whose_memory_it_is_goes_on_reading_the_texts(functions: Functions, scene: Scene) -> None:
    memory = scene.people.memory(scene.ada, GOAL, memory_type="goal", importance=2, source="llm_extraction")
    write_texts(scene, memory, "session", "rolling", "day", persona="mona")
    write_spine(scene, memory)
    reserve(scene, memory)
    context = await first_context(functions, scene, persona="mona")
    assert [name for name in ("session", "rolling", "spine", "day") if f"{name} sailing" not in context] == []


@pytest.mark.parametrize("change", [reserve, forbid_goals])
async def test_the_answer_about_a_past_month__is_written_again_without_it(
    functions: Functions, scene: Scene, change: Any
) -> None:
    """At once nothing of it is told; then the day, the week and the month tell what else happened."""
    then = scene.clock.now() - timedelta(days=400)
    ids = [
        scene.people.memory(
            scene.ada, text, memory_type=kind, source="rule_extraction", created_at=then, valid_from=then
        )
        for text, kind in ((GOAL, "goal"), ("Adopted a cat", "fact"))
    ]
    await summarize(scene)
    forget_waiting(scene)
    question = f"How was my {then:%B %Y}?"
    heading = f"Summary of {then:%B %Y}"
    assert "sailing" in (await first_context(functions, scene, question)).partition(heading)[2]
    change(scene, ids[0])
    hidden = (await first_context(functions, scene, question)).partition(heading)[2]
    assert "sailing" not in hidden
    assert {row["level"] for row in waiting(scene)} == {"day", "week", "month"}
    await summarize(scene)
    assert "cat" in (await first_context(functions, scene, question)).partition(heading)[2]
    for level in ("daily", "weekly", "monthly"):
        assert "sailing" not in str([{**row, "previous": None} for row in rows(scene, level)])
