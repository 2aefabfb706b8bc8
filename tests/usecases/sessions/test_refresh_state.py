"""A model writes the spine, and the rules while it is away. The rolling summary is that of the conversation."""

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
    "summary": "Ada lives in Graz and loves ramen [1, 4].",
    "profile": ["wrote to Ludwig in 1999 [1]", "lives in Graz"],
    "projects": [],
    "people": [],
    "open_loops": [],
}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules extract, and a model writes rolling summaries and spines."""
    models = "conversation=scripted,spine=scripted"
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models=models)


async def tell(scene: Scene, model: ModelServer, messages: int, reply: dict[str, Any] | None = None) -> None:
    """Ada writes so many messages, and what is due is done."""
    model.script.always({"content": json.dumps(reply or REPLY)})
    for number in range(messages):
        await scene.tell(TEXTS[number] if number < len(TEXTS) else "Hm, okay.")
    await run_due_jobs(scene.resources, max_seconds=300)


def state(scene: Scene) -> dict[str, Any]:
    """How things stand between Ada and the assistant."""
    (row,) = scene.db.all("select * from public.user_memory_session_state")
    return row


def spines(scene: Scene) -> list[dict[str, Any]]:
    """The versions of the spine."""
    return scene.db.all("select * from public.user_memory_spine order by version")


async def test_rolling_summary__is_that_of_the_conversation(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 4)
    await run_due_jobs(scene.resources, max_seconds=300)
    row = state(scene)
    assert (row["rolling_summary"], row["generator"], row["prompt_version"]) == (ROLLING, "llm", VERSION)
    assert row["refresh_due_at"] is None
    assert len(row["source_ids"]) >= 4
    assert len(row["message_ids"]) == 4


async def test_spine__rests_on_the_statements_that_its_items_name(scene: Scene, model: ModelServer) -> None:
    profile = ["Graz is home to the friend Ludwig [1]", "Lives in Graz [1, 2, 3, 4, 5]"]
    await tell(scene, model, 20, REPLY | {"profile": profile})
    newest = spines(scene)[-1]
    assert (newest["generator"], newest["prompt_version"]) == ("llm", VERSION)
    assert [item["text"] for item in newest["content"]["PROFILE"]] == ["Lives in Graz"]
    assert newest["content"]["PEOPLE"] == []  # the rules fill nothing in a model's text


async def test_spine__without_an_item_that_rests_on_a_statement_is_left_to_the_rules(
    scene: Scene, model: ModelServer
) -> None:
    await tell(scene, model, 20)
    assert [row["generator"] for row in spines(scene)] == ["rules"]


async def test_while_the_model_is_away__the_rules_write_and_the_model_later(scene: Scene, model: ModelServer) -> None:
    model.down()
    for number in range(20):
        await scene.tell(TEXTS[number] if number < len(TEXTS) else "Hm, okay.")
    await run_due_jobs(scene.resources, max_seconds=300)
    assert [row["generator"] for row in spines(scene)] == ["rules"]
    for _ in range(12):
        scene.clock.advance(hours=2)
        await run_due_jobs(scene.resources, max_seconds=300)
    assert [row["generator"] for row in spines(scene)] == ["rules"]
    model.up()
    model.script.always({"content": json.dumps(REPLY | {"profile": [f"lives in Graz [{n}]" for n in range(1, 4)]})})
    for _ in range(4):  # one call finds out that the model is back, and a summary written meanwhile changes the sources
        scene.clock.advance(hours=2)
        await run_due_jobs(scene.resources, max_seconds=300)
    assert [row["generator"] for row in spines(scene)] == ["rules", "llm"]
    assert scene.db.all("select * from keepsake.waiting_states") == []
    scene.clock.advance(hours=2)
    await run_due_jobs(scene.resources, max_seconds=300)
    assert len(spines(scene)) == 2


async def test_an_erased_memory__takes_the_model_s_words_along(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, 4)
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject="Graz"))
    assert "Graz" not in str(state(scene))
