"""A run of summaries asks the model as often at once as is allowed, and prepares the next meanwhile."""

from __future__ import annotations

import asyncio
import json

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from keepsake.usecases.summaries.generate_summaries import generate_summaries
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.fixtures.until import until
from tests.model_server.running import ModelServer
from tests.support.summaries import forget_waiting, remember, rows

AT_ONCE, PEOPLE = 2, 7
TEXT = "They live in Graz [1]."
LISTS: dict[str, list[str]] = {"key_themes": [], "dominant_patterns": [], "energy_shifts": []}
REPLY = {"summary": TEXT, "emotional_summary": TEXT, **LISTS}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A model writes weeks, and few calls are allowed at once."""
    return with_model(
        settings,
        model,
        openai_extraction_model=None,
        openai_summary_models="week=scripted",
        worker_concurrency=AT_ONCE,
        model_deadline_seconds=60.0,
    )


async def test_many_are_due__the_calls_at_once_are_used_and_not_exceeded(scene: Scene, model: ModelServer) -> None:
    people = [scene.people.person(f"Person {number}") for number in range(PEOPLE)]
    forget_waiting(scene)
    for person in people:
        remember(scene, "2024-10-30", "Lives in Graz", person=person)
    model.script.always({"content": json.dumps(REPLY)})
    model.script.is_thinking = True
    writing = asyncio.create_task(generate_summaries(scene.resources, Level.WEEK, max_seconds=60))
    await until(lambda: model.script.at_once >= AT_ONCE)
    await until(lambda: running_jobs(scene) > AT_ONCE)
    model.script.is_thinking = False
    assert (await writing).done
    assert model.script.most_at_once == AT_ONCE
    assert len(model.script.chats) == 2 * PEOPLE, "each is written and reviewed"
    assert [len(rows(scene, "weekly", person)) for person in people] == [1] * PEOPLE


def running_jobs(scene: Scene) -> int:
    """How many jobs a worker has begun and not ended."""
    count: int = scene.db.value("select count(*) from keepsake.procrastinate_jobs where status = 'doing'")
    return count
