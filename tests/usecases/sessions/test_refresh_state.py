"""A model writes the rolling summary and the spine; where it is away, the rules do until it answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.settings import Settings
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer

TEXTS = ("I live in Graz.", "My sister is called Anna.", "I want to run a marathon.", "I love ramen.")
ROLLING = "Ada lives in Graz and loves ramen."
REPLY = {
    "rolling_summary": f"{ROLLING} Ada met Ludwig in 1999.",
    "profile": ["1: Wrote to Ludwig", "Lives in Graz"],
    "projects": [],
    "people": [],
    "open_loops": [],
}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules extract, and a model writes rolling summaries and spines."""
    models = "rolling=scripted,spine=scripted"
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models=models)


async def tell(scene: Scene, model: ModelServer, messages: int) -> None:
    """Ada writes so many messages, and what is due is done."""
    model.script.always({"content": json.dumps(REPLY)})
    for number in range(messages):
        await scene.tell(TEXTS[number] if number < len(TEXTS) else "Hm, okay.")
    await run_due_jobs(scene.resources, max_seconds=30)


def state(scene: Scene) -> dict[str, Any]:
    """How things stand between Ada and the assistant."""
    (row,) = scene.db.all("select * from public.user_memory_session_state")
    return row


def spines(scene: Scene) -> list[dict[str, Any]]:
    """The versions of the spine."""
    return scene.db.all("select * from public.user_memory_spine order by version")


async def test_rolling_summary__has_no_name_and_no_number_that_nobody_said(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 4)
    row = state(scene)
    assert (row["rolling_summary"], row["generator"], row["prompt_version"]) == (ROLLING, "llm", VERSION)
    assert row["refresh_due_at"] is None
    assert len(row["source_ids"]) >= 4
    (chat,) = model.script.chats
    assert chat["response_format"]["json_schema"]["schema"]["required"] == ["rolling_summary"]


async def test_jobs_that_waited__leave_what_the_model_wrote(scene: Scene, model: ModelServer) -> None:
    """A job for each four messages; those that come after the first one has written find nothing due."""
    await tell(scene, model, 12)
    assert (state(scene)["rolling_summary"], state(scene)["generator"]) == (ROLLING, "llm")
    assert len([chat for chat in model.script.chats if "rolling_summary" in chat["messages"][0]["content"]]) <= 3


async def test_spine__rests_on_the_statements_that_its_items_name(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 20)
    by_number = {text.split(":")[0]: text for text in shown(model)["statements"]}
    graz = next(number for number, text in by_number.items() if "Graz" in text)
    assert [row["generator"] for row in spines(scene)] == ["rules"]  # nothing of the reply rests on a statement
    profile = [f"{graz}: Graz is home to Ludwig", f"{graz}: Lives in Graz"]
    model.script.always({"content": json.dumps(REPLY | {"profile": profile})})
    for _ in range(20):
        await scene.tell("Hm, okay.")
    await run_due_jobs(scene.resources, max_seconds=30)
    newest = spines(scene)[-1]
    assert (newest["generator"], newest["prompt_version"]) == ("llm", VERSION)
    assert "Ludwig" not in str(newest)
    assert "Anna" in str(newest["content"]["PEOPLE"])  # as the rules have it


async def test_while_the_model_is_away__the_rules_write_and_the_model_later(scene: Scene, model: ModelServer) -> None:
    model.down()
    for number in range(20):
        await scene.tell(TEXTS[number] if number < len(TEXTS) else "Hm, okay.")
    await run_due_jobs(scene.resources, max_seconds=30)
    assert (state(scene)["generator"], [row["generator"] for row in spines(scene)]) == ("rules", ["rules"])
    assert "Graz" in state(scene)["rolling_summary"]
    for _ in range(12):
        scene.clock.advance(hours=2)
        await run_due_jobs(scene.resources, max_seconds=30)
    assert [row["generator"] for row in spines(scene)] == ["rules"]
    model.up()
    model.script.always({"content": json.dumps(REPLY | {"profile": [f"{n}: Lives in Graz" for n in range(1, 9)]})})
    for _ in range(2):  # the first call only finds out that the model is back
        scene.clock.advance(hours=2)
        await run_due_jobs(scene.resources, max_seconds=30)
    assert state(scene)["generator"] == "llm"
    assert [row["generator"] for row in spines(scene)] == ["rules", "llm"]
    assert scene.db.all("select * from keepsake.waiting_states") == []
    scene.clock.advance(hours=2)
    await run_due_jobs(scene.resources, max_seconds=30)
    assert len(spines(scene)) == 2


async def test_replies_that_cannot_be_used__leave_it_to_the_rules(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 3)
    model.script.always({"content": "Sure! Here is the summary."})
    await scene.tell("Hm, okay.")
    for _ in range(4):
        await run_due_jobs(scene.resources, max_seconds=30)
        scene.clock.advance(hours=2)
    assert (state(scene)["generator"], state(scene)["refresh_due_at"]) == ("rules", None)
    assert scene.db.all("select * from keepsake.waiting_states") == []


async def test_an_erased_memory__takes_the_model_s_words_along(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 4)
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject="Graz"))
    assert "Graz" not in str(state(scene))


def shown(model: ModelServer) -> dict[str, Any]:
    """The data of the last call about the spine."""
    calls = [json.loads(chat["messages"][1]["content"].split("\n")[1]) for chat in model.script.chats]
    return next(data for data in reversed(calls) if "todos" not in data)
