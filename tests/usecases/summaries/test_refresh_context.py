"""Facts, the current day and the history become one text ahead of time, for the first context of a conversation."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer

MERGED = "Ada lives in Graz and loves ramen [1, 2]. Ada moved to Atlantis in 1999 [1]."


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules write everything but the merged context."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models="context=scripted")


@pytest.fixture
async def lived(scene: Scene, model: ModelServer) -> Scene:
    """Ada lives in Graz; yesterday she felt tired, and today she tells of ramen."""
    model.script.always({"content": json.dumps({"context": MERGED})})
    scene.clock.at = (scene.clock.now() - timedelta(days=1)).replace(hour=11)
    said = scene.clock.now() - timedelta(days=1)
    for text, columns in (
        ("Lives in Graz", {}),
        ("Feels tired", {"memory_type": "emotion", "subtype": "feeling"}),
    ):
        scene.people.memory(scene.ada, text, source="rule_extraction", created_at=said, valid_from=said, **columns)
    await scene.tell("I love ramen.")
    return scene


async def refresh(scene: Scene) -> None:
    """One run of cron."""
    await generate_daily_summaries(scene.resources, max_seconds=300)


async def first_context(scene: Scene, *, shared: bool = False, max_memories: int | None = None) -> str:
    """The context of a conversation's first message; its sections leave out what a listed memory says."""
    others = [scene.people.person("Bob")] if shared else []
    chat = scene.people.conversation(scene.ada, *others)
    scene.clock.advance(seconds=1)
    request = ContextRequest(chat, scene.says("Hello!", chat=chat), max_memories=max_memories)
    return (await inject_memory(scene.resources, request)).context


def stored(scene: Scene) -> list[dict[str, Any]]:
    """The merged contexts that are stored."""
    return scene.db.all("select * from keepsake.context_cache")


def shown(model: ModelServer) -> dict[str, Any]:
    """What the model was shown last, but for sentences that went back to it."""
    contents = [chat["messages"][1]["content"] for chat in model.script.chats]
    data: list[dict[str, Any]] = [json.loads(content.split("\n")[1]) for content in contents]
    return [one for one in data if "sentences" not in one][-1]


def memory_id(scene: Scene, text: str) -> UUID:
    """The id of a memory."""
    found: UUID = scene.db.value("select id from public.user_memory where memory_text = %s", (text,))
    return found


async def test_context__is_merged_ahead_of_time_without_what_nobody_said(lived: Scene, model: ModelServer) -> None:
    await refresh(lived)
    by_kind = {one.get("kind", "fact"): one["text"] for one in shown(model)["texts"]}
    assert {"Lives in Graz", "Loves ramen"} <= {one["text"] for one in shown(model)["texts"] if "kind" not in one}
    assert "ramen" in by_kind["today"]
    assert "Felt tired" in by_kind["history"]
    calls = len(model.script.chats)
    context = await first_context(lived)
    assert 'About this person: "Ada lives in Graz and loves ramen."' in context
    assert "Atlantis" not in context
    assert "Today: " not in context
    assert len(model.script.chats) == calls
    assert "About this person" not in await first_context(lived, shared=True)


async def test_context__leaves_the_last_session_whole(lived: Scene) -> None:
    """It is told in short only beside the days themselves."""
    await refresh(lived)
    lived.clock.advance(minutes=31)
    await run_due_jobs(lived.resources, max_seconds=60)
    lived.db.run("update public.user_memory_session_summaries set commitments = '{Call the dentist}'")
    context = await first_context(lived)
    assert "About this person: " in context
    assert "Committed to: Call the dentist." in context


async def test_what_is_to_come__is_merged_until_its_day_is_over(lived: Scene, model: ModelServer) -> None:
    """An event expires, and so is in no profile of the long term."""
    day = lived.clock.now().date() + timedelta(days=20)
    event = {
        "subtype": "event",
        "created_at": lived.clock.now() - timedelta(days=2),
        "expires_at": day + timedelta(days=1),
    }
    lived.people.memory(lived.ada, "Plays The Swan at a recital", period=f"{day}", **event)
    lived.people.memory(lived.ada, "Bought rosin", **event)
    for days, is_told in ((0, True), (20, True), (1, False)):
        lived.clock.advance(days=days)
        await lived.tell(f"I have a dog named {('Rex', 'Max', 'Bo')[days % 3]}.")
        lived.db.run("delete from keepsake.context_cache")
        lived.clock.advance(hours=1)
        await refresh(lived)
        facts = [one["text"] for one in shown(model)["texts"] if "kind" not in one]
        assert ("Plays The Swan at a recital" in facts) is is_told
        assert "Bought rosin" not in facts


async def test_context__rests_on_the_messages_it_cites(lived: Scene) -> None:
    """It is named by the day and the history; ramen was said in a message, Graz and the tiredness were not."""
    await refresh(lived)
    [row] = stored(lived)
    tables = "select id from public.user_memory_daily_summaries where summary_date = %s"
    assert lived.db.value(tables, (row["day"],)) in row["summary_ids"]
    assert lived.db.value("select id from public.user_memory_history_summaries") in row["summary_ids"]
    assert row["message_ids"] == [lived.db.value("select id from public.messages")]


async def test_context__of_the_same_three_inputs_is_not_merged_again(lived: Scene, model: ModelServer) -> None:
    await refresh(lived)
    calls = len(model.script.chats)
    lived.db.run("update keepsake.due_contexts set due_at = 'epoch'")
    await refresh(lived)
    assert len(model.script.chats) == calls
    assert len(stored(lived)) == 1


async def test_change__is_merged_within_the_hour_and_not_before(lived: Scene, model: ModelServer) -> None:
    await refresh(lived)
    await lived.tell("I moved to Vienna.")
    calls = len(model.script.chats)
    await refresh(lived)
    assert len(model.script.chats) == calls
    lived.clock.advance(hours=1)
    await refresh(lived)
    assert len(model.script.chats) == calls + 2  # the reply names Atlantis, and goes back once
    assert "Lives in Vienna" in [one["text"] for one in shown(model)["texts"]]


async def test_what_is_new__stands_beside_the_merged_context_until_three_days_have_passed(
    lived: Scene, model: ModelServer
) -> None:
    await refresh(lived)
    calls = len(model.script.chats)
    for count, said in enumerate(("I have a dog.", "I bake bread.", "I have two sons."), 1):
        await lived.tell(said)
        lived.clock.advance(hours=1)
        await refresh(lived)
        context = await first_context(lived, max_memories=0)
        assert ("Today: " in context) == (count < 3)
        assert "About this person: " in context
        assert (len(model.script.chats) > calls) == (count == 3)
        lived.clock.advance(hours=23)


async def test_facts_that_hold_no_more__end_the_merged_context(lived: Scene) -> None:
    await refresh(lived)
    await lived.tell("I moved to Vienna.")
    context = await first_context(lived, max_memories=0)
    assert "About this person" not in context
    assert f"On {lived.clock.now().date()}: " in context


async def test_what_was_forgotten__is_in_no_part(lived: Scene) -> None:
    await refresh(lived)
    with lived.db.as_person(lived.ada.user_id) as person:
        person.execute("select public.forget_memory(%s)", (memory_id(lived, "Loves ramen"),))
    assert "ramen" not in await first_context(lived)


async def test_edit__removes_the_merged_context_with_the_words_from_before(lived: Scene) -> None:
    await refresh(lived)
    with lived.db.as_person(lived.ada.user_id) as person:
        person.execute(
            "update public.user_memory set memory_text = 'Lives in Linz' where id = %s",
            (memory_id(lived, "Lives in Graz"),),
        )
    assert stored(lived) == []


async def test_erasure__removes_the_context_and_the_history(lived: Scene) -> None:
    await refresh(lived)
    erased = await erase_memories(lived.resources, lived.ada.identity, EraseRequest(subject="Graz"))
    assert erased.remaining is not None
    assert not any(erased.remaining.values())
    assert stored(lived) == lived.db.all("select from public.user_memory_history_summaries") == []
    lived.clock.advance(hours=2)
    await refresh(lived)
    histories = lived.db.all("select summary from public.user_memory_history_summaries")
    assert len(histories) == 1
    assert "Graz" not in str([histories, stored(lived)])
    await erase_memories(lived.resources, lived.ada.identity, EraseRequest(everything=True))
    for table in ("keepsake.context_cache", "keepsake.due_contexts", "public.user_memory_history_summaries"):
        statement: Any = f"select from {table}"
        assert lived.db.all(statement) == []


async def test_without_the_model__the_parts_are_told_in_their_order_and_merged_later(
    lived: Scene, model: ModelServer
) -> None:
    model.script.always("error_503")
    await refresh(lived)
    context = await first_context(lived, max_memories=0)
    assert stored(lived) == []
    today = lived.clock.now().date()
    assert context.index(f"On {today}: ") < context.index(f"On {today - timedelta(days=1)}: ")
    model.script.always({"content": json.dumps({"context": MERGED})})
    lived.clock.advance(hours=1)
    await refresh(lived)
    assert "About this person: " in await first_context(lived)


async def test_history__is_kept_and_told_of_the_days_before_the_current_one(lived: Scene) -> None:
    await refresh(lived)
    lived.clock.advance(days=1)
    await refresh(lived)
    histories = lived.db.all("select * from public.user_memory_history_summaries order by end_date")
    assert [row["version"] for row in histories] == [1, 1]
    assert "ramen" in histories[1]["summary"]
    assert "ramen" not in histories[0]["summary"]
    lived.clock.advance(days=8)
    await refresh(lived)
    assert lived.db.all("select from keepsake.due_contexts") == []
    assert "The days before" not in await first_context(lived)


async def test_due_contexts__are_found_through_an_index(scene: Scene) -> None:
    with scene.db.as_service() as service:
        service.execute("set local enable_seqscan = off")
        plan = str(
            service.execute(
                "explain select user_id from keepsake.due_contexts where due_at <= now() order by due_at limit 10"
            ).fetchall()
        )
    assert "due_contexts_due" in plan
