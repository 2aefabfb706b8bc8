"""A context names exactly the summaries in it, and the messages that they rest on; so does its answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.http.test_conversation_summaries import run_jobs
from tests.http.test_scope_of_summaries import GOAL, write_spine, write_texts

SAID = ("I live in Graz.", "I love ramen.", "I have a dog named Rex.", "I want to run a marathon.")
TABLES = {
    "session_summaries": "one_liner",
    "session_state": "rolling_summary",
    "daily_summaries": "summary",
    "history_summaries": "summary",
    "weekly_summaries": "summary",
}


def stored(scene: Scene) -> dict[str, dict[str, Any]]:
    """Every stored summary by its id: its text, and the messages that it rests on."""
    found: dict[str, dict[str, Any]] = {}
    for table, text in TABLES.items():
        statement: Any = f"select id, {text} as text, message_ids from public.user_memory_{table}"
        found |= {str(row["id"]): row for row in scene.db.all(statement)}
    return found


async def inject(functions: Functions, scene: Scene, text: str, **more: Any) -> dict[str, Any]:
    """The answer of inject-memory for the first message of a new conversation."""
    chat = scene.people.conversation(scene.ada)
    scene.clock.advance(seconds=1)
    body = {"conversation_id": str(chat), "message_id": str(scene.says(text, chat=chat)), **more}
    answer = await functions.call("inject-memory", body)
    assert answer.status_code == 200, answer.text
    return {"chat": chat, **answer.json()}


@pytest.fixture
async def lived(functions: Functions, scene: Scene) -> Scene:
    """Ada told four things the day before yesterday, and every level has been written."""
    for text in SAID:
        await scene.tell(text)
    scene.clock.advance(days=2)
    await run_jobs(functions)
    answer = await functions.call("generate-daily-summaries", {"max_seconds": 20})
    assert answer.status_code == 200
    return scene


async def test_first_context__names_the_summaries_in_it_and_no_other(functions: Functions, scene: Scene) -> None:
    """What somebody else is told is nobody's."""
    said = scene.says(GOAL)
    columns = {"memory_type": "goal", "source": "llm_extraction", "source_message_id": said}
    memory = scene.people.memory(scene.ada, GOAL, conversation_id=scene.chat, **columns)
    write_texts(scene, memory, "session", "rolling", "day", "history", "week")
    rows = stored(scene)
    assert len(rows) == len(TABLES)
    injected = await inject(functions, scene, "Hello!", max_memories=0)
    assert [row["text"] for row in rows.values() if row["text"] not in injected["context"]] == []
    assert set(injected["summary_ids"]) == set(rows)


async def test_a_summary_whose_words_stand_elsewhere__is_not_named(functions: Functions, lived: Scene) -> None:
    """The memories say what the summaries say: nothing of these is left in the block."""
    injected = await inject(functions, lived, "Hello!")
    assert (injected["summary_ids"], injected["message_ids"]) == ([], [])
    of_day = await inject(functions, lived, "Hello!", max_memories=0)
    [row] = [row for row in stored(lived).values() if str(row["id"]) in of_day["summary_ids"]]
    assert row["text"] in of_day["context"]
    assert set(of_day["message_ids"]) == {str(said) for said in row["message_ids"]}
    assert len(row["message_ids"]) == len(SAID)


async def test_a_question_about_a_day__names_that_day(functions: Functions, lived: Scene) -> None:
    day = (lived.clock.now() - timedelta(days=2)).date()
    injected = await inject(functions, lived, f"What happened on {day}?", max_memories=0)
    row = lived.db.one("select id, message_ids from public.user_memory_daily_summaries where summary_date = %s", (day,))
    assert f"Summary of {day}" in injected["context"]
    assert str(row["id"]) in injected["summary_ids"]
    assert {str(said) for said in row["message_ids"]} <= set(injected["message_ids"])
    other = await inject(functions, lived, f"What happened on {day - timedelta(days=9)}?", token_budget=80)
    assert (other["summary_ids"], other["message_ids"]) == ([], [])


async def test_a_later_context__names_none(functions: Functions, lived: Scene) -> None:
    injected = await inject(functions, lived, "Hello!")
    body = {"conversation_id": str(injected["chat"]), "message_id": str(lived.says("And?", chat=injected["chat"]))}
    lived.people.answers(injected["chat"], "Hello, Ada.")
    later = (await functions.call("inject-memory", body)).json()
    assert (later["summary_ids"], later["message_ids"]) == ([], [])


async def test_merged_context_and_spine__are_named(functions: Functions, scene: Scene) -> None:
    """What is merged is named by its day and history; the spine of rules rests on the messages of its memories."""
    source = scene.says(GOAL)
    columns = {"memory_type": "goal", "source": "llm_extraction", "source_message_id": source}
    memory = scene.people.memory(scene.ada, GOAL, conversation_id=scene.chat, **columns)
    write_texts(scene, memory, "day", "merged")
    write_spine(scene, memory)
    scene.db.run(
        "update keepsake.context_cache set summary_ids = array(select id from public.user_memory_daily_summaries)"
    )
    day = scene.db.value("select id from public.user_memory_daily_summaries")
    spine = scene.db.value("select id from public.user_memory_spine")
    injected = await inject(functions, scene, "Hello!", max_memories=0)
    assert "merged sailing" in injected["context"]
    assert "spine sailing" in injected["context"]
    assert set(injected["summary_ids"]) == {str(day), str(spine)}
    assert injected["message_ids"] == [str(source)]


@pytest.mark.parametrize("section, shown", [("PROFILE", True), ("PROJECTS", False)])
async def test_beside_what_is_merged__the_spine_tells_only_what_lasts(
    functions: Functions, scene: Scene, section: str, *, shown: bool
) -> None:
    memory = scene.people.memory(scene.ada, GOAL, conversation_id=scene.chat, memory_type="goal")
    write_spine(scene, memory, section)
    assert "spine sailing" in (await inject(functions, scene, "Hello!", max_memories=0))["context"]
    write_texts(scene, memory, "merged")
    assert ("spine sailing" in (await inject(functions, scene, "Hi!", max_memories=0))["context"]) is shown


@pytest.mark.parametrize("minutes_later, shown", [(-60, False), (60, True)])
async def test_beside_what_is_merged__the_history_is_told_where_it_has_something_newer(
    functions: Functions, scene: Scene, minutes_later: int, *, shown: bool
) -> None:
    """It is written anew at midnight, whether or not anything was said since."""
    memory = scene.people.memory(scene.ada, GOAL, conversation_id=scene.chat, memory_type="goal")
    write_texts(scene, memory, "history", "merged")
    said = scene.says("I went sailing.")
    await scene.extract(said)
    scene.db.run("update public.user_memory_history_summaries set message_ids = array[%s]::uuid[]", (said,))
    scene.db.run("update keepsake.context_cache set created_at = now()")
    scene.db.run(
        "update keepsake.extractions set said_at = now() + make_interval(mins => %s) where source_message_id = %s",
        (minutes_later, said),
    )
    context = (await inject(functions, scene, "Hello!", max_memories=0))["context"]
    assert "merged sailing" in context
    assert ("history sailing" in context) is shown


async def test_the_answer__carries_the_ids_until_everything_is_erased(functions: Functions, lived: Scene) -> None:
    injected = await inject(functions, lived, "Hello!", max_memories=0)
    answer = lived.people.answers(injected["chat"], "Hello, Ada.")
    body = {"injection_id": injected["injection_id"], "message_id": str(answer)}
    linked = (await functions.call("record-injection", body)).json()
    names = ("memory_ids", "summary_ids", "message_ids")
    assert injected["summary_ids"]
    assert {name: linked[name] for name in names} == {name: injected[name] for name in names}
    meta: Any = "select meta from public.messages where id = %s"
    assert lived.db.value(meta, (answer,))["summary_ids"] == injected["summary_ids"]
    await erase_memories(lived.resources, lived.ada.identity, EraseRequest(everything=True))
    assert lived.db.value(meta, (answer,))["summary_ids"] == []
    left: Any = "select summary_ids || message_ids from keepsake.injections where id = %s"
    assert lived.db.value(left, (injected["injection_id"],)) == []
