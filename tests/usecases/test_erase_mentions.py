"""An erasure by subject reaches what a model wrote of it: from messages of which nothing was remembered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.erase_memories import EraseRequest, Erasure, erase_memories
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.llm_summarizer import llm_summarizer
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer

SUMMARIES = (
    "select to_jsonb(s) as row from public.conversation_summaries as s"
    " union all select to_jsonb(s) from public.user_memory_weekly_summaries as s"
)


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A model writes the summaries of conversations and weeks."""
    return with_model(
        settings, model, openai_extraction_model=None, openai_summary_models="conversation=scripted,week=scripted"
    )


@pytest.fixture
async def told(scene: Scene, model: ModelServer) -> Scene:
    """Ada has spoken of Tom in a question of which nothing is remembered, and a model has written of it."""
    text = "Ada lives in Graz [1]. Was Tom at the station [2]."
    fields = {"key_themes": ["The question about Tom [2]"], "dominant_patterns": [], "energy_shifts": []}
    answer = {"summary": text, "emotional_summary": "", **fields}
    model.script.always({"content": json.dumps(answer)})
    for said in ("I live in Graz.", "Was Tom at the station?", "I love ramen.", "I play the cello.", "I have a dog."):
        await scene.tell(said)
    await llm_summarizer(scene.resources, conversation_id=scene.chat)
    scene.clock.advance(days=8)
    await generate_weekly_summaries(scene.resources, max_seconds=20)
    assert [str(one["row"]).count("Was Tom at the station") for one in scene.db.all(SUMMARIES)] == [2, 1]
    assert "Tom" not in str(scene.told())
    return scene


async def erase(scene: Scene, subject: str, **request: Any) -> Erasure:
    """Erase a subject, as Ada."""
    return await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject=subject, **request))


@pytest.mark.parametrize("subject", ["Tom", "person:tom"])
async def test_a_subject_that_was_not_remembered__leaves_the_summaries_for_good(told: Scene, subject: str) -> None:
    preview = await erase(told, subject, dry_run=True)
    assert preview.erased["public.user_memory_weekly_summaries"] == 1
    erased = await erase(told, subject)
    assert erased.remaining is not None
    assert not any(erased.remaining.values())
    assert told.db.all(SUMMARIES) == []
    await run_due_jobs(told.resources, max_seconds=20)
    await generate_weekly_summaries(told.resources, max_seconds=20)
    rewritten = told.db.all(SUMMARIES)
    assert len(rewritten) == 2
    assert "Graz" in str(rewritten)
    assert "Tom" not in str(rewritten)
