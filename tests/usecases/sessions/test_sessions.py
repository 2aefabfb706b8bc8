"""Sessions are opened by the first message, closed after half an hour, summarized once, and told of in the next one."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.sessions.summarize_session import summarize_session
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene


def rows(scene: Scene, table: str, person: Account | None = None) -> list[dict[str, Any]]:
    """The rows of a table of sessions, of Ada unless said otherwise."""
    order = {"spine": "version", "history_summaries": "end_date"}.get(table, "persona_id, id")
    statement: Any = f"select * from public.user_memory_{table} where user_id = %s order by {order}"
    return scene.db.all(statement, ((person or scene.ada).user_id,))


async def later(scene: Scene, minutes: int = 31) -> None:
    """Time passes, and what is due is done."""
    scene.clock.advance(minutes=minutes)
    await run_due_jobs(scene.resources, max_seconds=300)


async def context(
    scene: Scene, text: str, chat: UUID, person: Account | None = None, *, max_memories: int | None = None
) -> str:
    """The context for a message that is saved now."""
    scene.clock.advance(minutes=1)
    request = ContextRequest(chat, scene.says(text, chat=chat, person=person), max_memories=max_memories)
    return (await inject_memory(scene.resources, request)).context


async def test_session__is_opened_by_the_first_message_and_closed_after_half_an_hour(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    await scene.tell("How are you?")
    await later(scene, 20)
    (session,) = rows(scene, "sessions")
    assert (session["turn_count"], session["ended_at"]) == (2, None)
    assert not rows(scene, "session_summaries")
    await later(scene, 11)
    (session,) = rows(scene, "sessions")
    assert (session["ended_at"] - session["last_activity_at"]).total_seconds() == 30 * 60
    assert session["summary_due_at"] is None
    (summary,) = rows(scene, "session_summaries")
    assert summary["what_mattered"] == ["I live in Graz."]
    assert (summary["generator"], summary["session_id"]) == ("rules", session["id"])
    assert not await summarize_session(scene.resources, user_id=scene.ada.user_id, session_id=session["id"])


async def test_session__after_a_pause_is_another_and_the_state_goes_on(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    scene.clock.advance(hours=2)
    await scene.tell("I love ramen.")
    assert [session["ended_at"] is None for session in rows(scene, "sessions")].count(True) == 1
    assert len(rows(scene, "sessions")) == 2
    (state,) = rows(scene, "session_state")
    assert (state["message_count"], state["last_interaction"]) == (2, scene.clock.now())


async def test_late_message__belongs_to_the_session_in_which_it_was_said(scene: Scene) -> None:
    late = scene.says("I love ramen.")
    scene.clock.advance(minutes=5)
    await scene.tell("I live in Graz.")
    scene.clock.advance(hours=3)
    await scene.tell("I have a dog.")
    await later(scene)
    await scene.extract(late)
    assert sorted(session["turn_count"] for session in rows(scene, "sessions")) == [1, 2]
    await later(scene)
    assert ["I live in Graz.", "I love ramen."] in [
        sorted(summary["what_mattered"]) for summary in rows(scene, "session_summaries")
    ]


async def test_a_message_read_again__is_counted_once(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    await scene.extract(message)
    assert [state["message_count"] for state in rows(scene, "session_state")] == [1]


@pytest.mark.parametrize("situation", ["paused", "off", "swiss", "guest"])
async def test_session__is_not_opened_without_consent(scene: Scene, situation: str) -> None:
    chat = scene.chat
    match situation:
        case "paused":
            scene.set(building=False)
        case "off":
            scene.db.run("update public.conversations_participants set memory_enabled = false")
        case "swiss":
            chat = scene.people.conversation(scene.ada, mode="swiss")
        case _:
            chat = scene.people.conversation(scene.ada, memory=False)
    await scene.tell("I live in Graz.", chat=chat)
    assert not rows(scene, "sessions")
    assert not rows(scene, "session_state")


async def test_last_session__is_in_the_first_context_of_the_next_conversation_with_that_persona(scene: Scene) -> None:
    coach = scene.people.conversation(scene.ada, persona_id="coach")
    await scene.tell("I live in Graz.", chat=coach)
    await scene.tell("I need to call the dentist.", chat=coach)
    await scene.tell("I feel tired.", chat=coach)
    await later(scene)
    scene.clock.advance(hours=7)
    again = scene.people.conversation(scene.ada, persona_id="coach")
    shown = await context(scene, "hello there", again)
    assert "Last session: " in shown
    assert "Tone: Feels tired." in shown
    assert shown.count("Call the dentist") == 1, "it is an open to-do"
    assert "Last session" not in await context(scene, "hello there", scene.people.conversation(scene.ada))
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(scene.ada, bob, mode="together", persona_id="coach")
    assert "Last session" not in await context(scene, "hello there", shared)


async def test_question__of_a_day_without_a_summary_is_answered_from_its_sessions(scene: Scene) -> None:
    scene.people.answers(scene.chat, "Hello!")
    await scene.tell("I live in Graz.")
    await later(scene)
    scene.clock.advance(days=1)
    shown = await context(scene, "What did we talk about yesterday?", scene.chat)
    assert "I live in Graz" in shown.split("Summary of ")[1].split("\n")[0]


async def test_rolling_summary__its_outline_goes_with_an_erased_memory(scene: Scene) -> None:
    for text in ("I live in Graz.", "I love ramen.", "I have a dog.", "I play chess."):
        await scene.tell(text)
    await later(scene, 1)
    assert "I live in Graz" in str(rows(scene, "session_state")[0]["outlines"])
    scene.db.run("delete from public.user_memory where memory_text = 'Lives in Graz'")
    (state,) = rows(scene, "session_state")
    assert (state["rolling_summary"], state["outlines"]) == ("", {})


async def test_rolling_summary__is_written_every_four_messages(scene: Scene) -> None:
    for text in ("I live in Graz.", "I love ramen.", "I have a dog."):
        await scene.tell(text)
    await run_due_jobs(scene.resources, max_seconds=300)
    assert [state["rolling_summary"] for state in rows(scene, "session_state")] == [""]
    await scene.tell("I work as a nurse.")
    await later(scene, 1)
    (state,) = rows(scene, "session_state")
    assert "I live in Graz" in state["rolling_summary"]
    assert state["refresh_due_at"] is None
    greeted = scene.people.conversation(scene.ada)
    assert "Recently: " in await context(scene, "hello there", greeted, max_memories=0)
    listed = await context(scene, "hello there", scene.people.conversation(scene.ada))
    assert "Recently: " not in listed, "all that it says is listed as memories"
    assert listed.count("Lives in Graz") == 1


async def test_erasure_of_a_memory__writes_the_session_again_without_it(scene: Scene) -> None:
    for text in ("I live in Graz.", "I love ramen.", "I have a dog.", "I work as a nurse."):
        await scene.tell(text)
    await later(scene)
    erased = await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject="ramen"))
    assert erased.remaining is not None
    assert not any(erased.remaining.values())
    for table in ("sessions", "session_summaries", "session_state"):
        assert "ramen" not in str(rows(scene, table)).lower()
    scene.db.run("update public.user_memory_sessions set summary_due_at = '2000-01-01'")
    scene.db.run("update public.user_memory_session_state set refresh_due_at = '2000-01-01'")
    await run_due_jobs(scene.resources, max_seconds=300)
    (summary,) = rows(scene, "session_summaries")
    assert "I live in Graz." in summary["what_mattered"]
    assert "ramen" not in str(rows(scene, "session_state")).lower()
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    assert not any(rows(scene, table) for table in ("sessions", "session_summaries", "session_state"))


async def test_shared_conversation__keeps_the_rows_of_each_person_apart(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(scene.ada, bob)
    for _ in range(4):
        await scene.tell("I live in Xqzada.", chat=shared)
        await scene.tell("I live in Xqzbob.", chat=shared, person=bob)
    await later(scene)
    assert "xqzada" in str(rows(scene, "session_summaries")).lower()
    for table in ("session_summaries", "session_state"):
        assert "xqzbob" not in str(rows(scene, table)).lower()
        assert "xqzada" not in str(rows(scene, table, bob)).lower()


async def test_spine__has_a_version_every_twenty_messages(scene: Scene) -> None:
    for text in (
        "I live in Graz.",
        "My sister is called Anna.",
        "I want to run a marathon.",
        "I need to buy a fridge.",
    ):
        await scene.tell(text)
    for _ in range(15):
        await scene.tell("Hm, okay.")
    await later(scene)
    assert not rows(scene, "spine")
    await scene.tell("Hm, okay.")
    await later(scene)
    (spine,) = rows(scene, "spine")
    assert (spine["version"], spine["message_count"], spine["generator"]) == (1, 20, "rules")
    texts = {section: [item["text"] for item in items] for section, items in spine["content"].items()}
    assert texts.keys() == {"PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS"}
    assert "Lives in Graz" in texts["PROFILE"]
    assert any("Anna" in text for text in texts["PEOPLE"])
    assert any("marathon" in text for text in texts["PROJECTS"])
    assert texts["OPEN_LOOPS"] == ["Buy a fridge"]
    for _ in range(20):
        await scene.tell("Hm, okay.")
    await later(scene)
    assert [row["version"] for row in rows(scene, "spine")] == [1, 2]


async def test_spine__in_a_context_is_what_still_holds(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    await scene.tell("My sister is called Anna.")
    for _ in range(18):
        await scene.tell("Hm, okay.")
    await later(scene)
    scene.db.run("delete from public.user_memory_session_summaries")  # which say the same
    shown = await context(scene, "hello there", scene.people.conversation(scene.ada), max_memories=0)
    assert "Lives in Graz" in shown.split("Long-term: ")[1].split("\n")[0]
    await scene.tell("I moved to Vienna.")
    shown = await context(scene, "hello there", scene.people.conversation(scene.ada))
    assert "Graz" not in shown
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject="Graz"))
    assert not rows(scene, "spine")


async def test_due_work__is_found_through_an_index(scene: Scene) -> None:
    for table, column in (("sessions", "summary_due_at"), ("session_state", "refresh_due_at")):
        with scene.db.as_service() as service:
            service.execute("set local enable_seqscan = off")
            statement = (
                f"explain select id from public.user_memory_{table} where {column} <= now() order by {column} limit 10"
            )
            plan = str(service.execute(statement.encode()).fetchall())
        assert f"user_memory_{table}_due" in plan
