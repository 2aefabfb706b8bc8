"""The texts about sessions follow what they were written from: what is edited, forgotten, restored or done."""

from __future__ import annotations

from typing import LiteralString

import pytest

from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from tests.fixtures.scene import Scene
from tests.usecases.sessions.test_sessions import context, later, rows


async def test_what_was_forgotten__is_told_no_more_until_it_is_restored(scene: Scene) -> None:
    for text in ("I live in Graz.", "I love ramen.", "I have a dog.", "I work as a nurse."):
        await scene.tell(text)
    await later(scene)
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.forget_memory(id) from public.user_memory where memory_text ilike '%ramen%'")
    shown = await context(scene, "hello there", scene.people.conversation(scene.ada))
    assert "ramen" not in shown
    assert "Last session" not in shown
    for table in ("session_summaries", "session_state"):
        assert "ramen" not in str(rows(scene, table)), "its person reads these rows"
    await later(scene, 1)
    assert "I have a dog" in str(rows(scene, "session_summaries"))
    assert "I have a dog" in str(rows(scene, "session_state"))
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.restore_memory(id) from public.user_memory where memory_text ilike '%ramen%'")
    await later(scene, 1)
    for table in ("session_summaries", "session_state"):
        assert "ramen" in str(rows(scene, table))


@pytest.mark.parametrize(
    "change, wrong",
    [
        ("update public.user_memory set memory_text = 'Has a dog named Max' where memory_text ~ 'Rex'", "named Rex"),
        ("update public.user_memory_todos set status = 'done'", "Call the dentist"),
        ("update public.user_memory_todos set todo_text = 'Call the optician'", "Call the dentist"),
    ],
    ids=["memory", "done", "todo"],
)
async def test_what_was_changed__is_told_as_it_is_now(scene: Scene, change: LiteralString, wrong: str) -> None:
    """Neither a context nor the rows that its person reads say what is so no more."""
    for text in ("I have a dog named Rex.", "I live in Graz.", "I need to call the dentist.", "I work as a nurse."):
        await scene.tell(text)
    await later(scene)
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute(change)
    for minutes in (1, 5):
        shown = await context(scene, "hello there", scene.people.conversation(scene.ada), max_memories=0)
        assert wrong not in shown
        assert wrong not in str(rows(scene, "session_summaries") + rows(scene, "session_state"))
        await later(scene, minutes)
    assert "Last session: " in shown
    assert "I live in Graz" in str(rows(scene, "session_state"))


async def test_a_todo_that_is_done_by_what_is_said__is_told_no_more(scene: Scene) -> None:
    for text in ("I live in Graz.", "I need to call the dentist.", "I love ramen.", "I work as a nurse."):
        await scene.tell(text)
    await later(scene)
    await scene.tell("I finally called the dentist.")
    await later(scene, 1)
    assert "Call the dentist" not in str(rows(scene, "session_summaries") + rows(scene, "session_state"))


async def test_a_todo_that_is_done_later__leaves_an_earlier_session_as_it_was_written(scene: Scene) -> None:
    """Only its list of what is open loses it: the session is not summarized again."""
    for text in ("I live in Graz.", "I need to call the dentist.", "I love ramen."):
        await scene.tell(text)
    await later(scene)
    scene.clock.advance(days=3)
    await scene.tell("I have a dog named Rex.")
    await later(scene)
    [first] = [row for row in rows(scene, "session_summaries") if row["commitments"]]
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("update public.user_memory_todos set status = 'done'")
    [after] = [row for row in rows(scene, "session_summaries") if row["id"] == first["id"]]
    assert after == {**first, "commitments": []}
    await later(scene, 1)
    assert [row for row in rows(scene, "session_summaries") if row["id"] == first["id"]] == [after]


async def test_a_forgotten_memory__is_in_no_spine_and_no_history_that_its_person_reads(scene: Scene) -> None:
    """What is left of the spine is written at once; one that the person forgot is not written again."""
    await scene.tell("I live in Graz.")
    await scene.tell("I love ramen.")
    for _ in range(18):
        await scene.tell("Hm, okay.")
    await later(scene)
    scene.clock.advance(days=1)
    await generate_daily_summaries(scene.resources, max_seconds=20)
    assert "Loves ramen" in str(rows(scene, "spine"))
    assert "I love ramen" in str(rows(scene, "history_summaries"))
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.forget_memory(id) from public.user_memory where memory_text ~ 'ramen'")
    assert "ramen" not in str(rows(scene, "spine") + rows(scene, "history_summaries"))
    await later(scene, 1)
    assert "Lives in Graz" in str(rows(scene, "spine"))
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.forget_summary(id) from public.user_memory_spine")
    for _ in range(4):
        await scene.tell("Hm, okay.")
    await later(scene)
    assert rows(scene, "spine") == []


async def test_many_forgotten_memories__are_followed_once_a_statement(scene: Scene) -> None:
    """Not once a memory: "clear all" of somebody with years of sessions ends within a statement's time."""
    for text in ("I live in Graz.", "I love ramen.", "I have a dog."):
        await scene.tell(text)
    with scene.db.as_service() as service:
        plan = service.execute(
            "explain (analyze, format json) update public.user_memory set status = 'deleted', deleted_at = now()"
        ).fetchone()
    assert plan is not None
    calls = {one["Trigger Name"]: one["Calls"] for one in plan["QUERY PLAN"][0]["Triggers"]}
    assert calls["keepsake_60_follow_changed"] == 1
    assert calls["keepsake_60_mark_summaries"] > 1
