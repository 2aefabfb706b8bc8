"""What a model reads for a period, and that it writes nothing from what changed or was erased meanwhile."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.fixtures.until import until
from tests.model_server.running import ModelServer
from tests.support.summaries import forget_waiting, on, remember, rows, summarize

TEXT = "Ada lives in Graz."
GOOD = {
    "summary": TEXT,
    "emotional_summary": TEXT,
    "cognitive_summary": TEXT,
    "key_themes": [],
    "dominant_patterns": [],
    "energy_shifts": [],
}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules write days, a model weeks and months."""
    return with_model(
        settings, model, openai_extraction_model=None, openai_summary_models="week=scripted,month=scripted"
    )


@pytest.fixture(autouse=True)
def _graz(scene: Scene, model: ModelServer) -> None:
    """Ada said one thing."""
    model.script.always({"content": json.dumps(GOOD)})
    forget_waiting(scene)
    remember(scene, "2024-10-31", "Lives in Graz")


def data(model: ModelServer) -> dict[str, Any]:
    """What the model was shown last."""
    content: str = model.script.chats[-1]["messages"][1]["content"]
    shown: dict[str, Any] = json.loads(content.split("\n")[1])
    return shown


def summarize_chat(scene: Scene) -> None:
    """Store the summary of the conversation, written in that week."""
    scene.db.run(
        "insert into public.conversation_summaries (conversation_id, summary, generator, updated_at)"
        " values (%s, 'Ada asked about trains.', 'rules', %s)",
        (scene.chat, on("2024-10-31")),
    )


async def test_a_week__reads_the_summaries_of_the_own_conversations(scene: Scene, model: ModelServer) -> None:
    summarize_chat(scene)
    await summarize(scene, Level.WEEK)
    assert data(model)["conversations"] == ["Ada asked about trains."]
    assert "days" not in data(model)
    (week,) = rows(scene, "weekly")
    assert (week["generator"], week["summary"], scene.chat in week["source_ids"]) == ("llm", TEXT, True)


async def test_a_week_without_conversations__reads_its_days(scene: Scene, model: ModelServer) -> None:
    await summarize(scene, Level.DAY)
    await summarize(scene, Level.WEEK)
    assert data(model)["days"] == ["Lives in Graz."]
    assert rows(scene, "daily")[0]["generator"] == "rules"


async def test_the_summary_of_a_shared_conversation__is_read_for_nobody(scene: Scene, model: ModelServer) -> None:
    summarize_chat(scene)
    scene.people.join(scene.chat, scene.people.person("Bob"))
    await summarize(scene, Level.WEEK)
    assert "trains" not in str(data(model))


async def test_a_month__reads_its_weeks_and_memories(scene: Scene, model: ModelServer) -> None:
    await summarize(scene, Level.WEEK)
    await summarize(scene, Level.MONTH)
    assert [week["summary"] for week in data(model)["weeks"]] == [TEXT]
    assert [one["text"] for one in data(model)["statements"]] == ["Lives in Graz"]
    assert rows(scene, "monthly")[0]["weekly_summaries_used"] == 1


async def test_a_month__reads_the_conversations_of_its_last_week_while_that_has_no_summary(
    scene: Scene, model: ModelServer
) -> None:
    summarize_chat(scene)
    await summarize(scene, Level.MONTH)
    assert data(model)["conversations"] == ["Ada asked about trains."]
    assert scene.chat in rows(scene, "monthly")[0]["source_ids"]
    await summarize(scene, Level.WEEK)
    await summarize(scene, Level.MONTH)
    assert "conversations" not in data(model)
    (month,) = rows(scene, "monthly")
    assert (month["version"], scene.chat in month["source_ids"]) == (2, False)


async def test_what_changed_while_the_model_thought__is_not_lost(scene: Scene, model: ModelServer) -> None:
    model.script.is_thinking = True
    writing = asyncio.create_task(summarize(scene, Level.WEEK))
    await until(lambda: model.script.at_once == 1)
    remember(scene, "2024-10-30", "Likes ramen")
    model.script.is_thinking = False
    await writing
    (week,) = rows(scene, "weekly")
    assert (week["generator"], week["summary"]) == ("rules", "Wednesday: Likes ramen. Thursday: Lives in Graz.")
    await summarize(scene, Level.WEEK)
    assert [one["text"] for one in data(model)["statements"]] == ["Likes ramen", "Lives in Graz"]
    assert rows(scene, "weekly")[0]["generator"] == "llm"


async def test_what_was_erased_while_the_model_thought__is_not_written(scene: Scene, model: ModelServer) -> None:
    model.script.is_thinking = True
    writing = asyncio.create_task(summarize(scene, Level.WEEK))
    await until(lambda: model.script.at_once == 1)
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    model.script.is_thinking = False
    await writing
    assert rows(scene, "weekly") == []


async def test_a_forgotten_memory_of_another_week__has_the_summary_written_again(
    scene: Scene, model: ModelServer
) -> None:
    older = remember(scene, "2024-09-02", "Keeps a boat")
    summarize_chat(scene)
    message = scene.says("I keep a boat.")
    scene.db.run(
        "insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, results)"
        " values (%s, %s, %s, 'extracted', jsonb_build_array(jsonb_build_object('memory_id', %s::text)))",
        (scene.chat, message, scene.ada.user_id, older),
    )
    scene.db.run("update public.conversation_summaries set source_ids = array[%s::uuid]", (message,))
    await summarize(scene, Level.WEEK)
    week = next(row for row in rows(scene, "weekly") if row["week_number"] == 44)
    assert older in week["memory_ids"]
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (older,))
    scene.db.run("delete from public.conversation_summaries")
    await summarize(scene, Level.WEEK)
    assert all(older not in row["memory_ids"] for row in rows(scene, "weekly"))
