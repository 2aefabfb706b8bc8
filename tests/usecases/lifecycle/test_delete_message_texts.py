"""The text of old messages is deleted where the setting says so, and never before everything is written from it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from keepsake.usecases.archive_old_memories import BatchSizes, archive_old_memories
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.summaries.generate_summaries import generate_summaries
from tests.fixtures.scene import Scene

DAYS = 30


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    """Messages are kept for thirty days, unless a test is about the default."""
    days = getattr(request, "param", DAYS)
    return Settings.load(**{**settings.model_dump(exclude_unset=True), "message_retention_days": days})


async def live(scene: Scene, days_ago: int = 80) -> UUID:
    """Ada says something long ago, and is answered."""
    now = scene.clock.now()
    scene.clock.at = now - timedelta(days=days_ago)
    message = scene.says("I live in Graz.")
    scene.people.answers(scene.chat, "Graz is nice.")
    await scene.extract(message)
    scene.clock.at = now
    return message


async def write_everything(scene: Scene) -> None:
    """Every level that is due is written."""
    await run_due_jobs(scene.resources, max_seconds=300)
    for level in Level:
        await generate_summaries(scene.resources, level, max_seconds=300)


async def archive(scene: Scene, rows: int = 500) -> list[str]:
    """The nightly run; the texts that are left."""
    await archive_old_memories(scene.resources, max_seconds=300, sizes=BatchSizes(rows=rows))
    return [
        row["content"]
        for row in scene.db.all("select content from public.messages where content <> '' order by role desc, id")
    ]


async def test_text__is_deleted_when_everything_is_written_from_it(scene: Scene) -> None:
    message = await live(scene)
    assert await archive(scene) == ["I live in Graz.", "Graz is nice."]
    await write_everything(scene)
    assert await archive(scene) == []
    assert scene.told() == ["Lives in Graz"]
    assert (await scene.extract(message)).status == "duplicate"
    assert scene.db.value("select summary from public.user_memory_daily_summaries") == "“I live in Graz”."


@pytest.mark.parametrize(
    "waiting",
    [
        "update keepsake.extractions set status = 'pending', finished_at = null",
        "insert into keepsake.due_conversations (conversation_id, due_at) select id, now() from public.conversations",
        "insert into keepsake.conversation_marks (conversation_id) select id from public.conversations",
        "update public.user_memory_sessions set summary_due_at = now()",
        (
            "insert into keepsake.summary_marks (user_id, profile_id, moment)"
            " select user_id, profile_id, valid_from from public.user_memory limit 1"
        ),
        *(
            "insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)"
            f" select user_id, profile_id, '{level}', date_trunc('{level}', valid_from)::date, now()"
            " from public.user_memory where memory_text = 'Lives in Graz'"
            for level in Level
        ),
    ],
)
async def test_text__that_something_waits_for_is_kept(scene: Scene, waiting: Any) -> None:
    await live(scene)
    await write_everything(scene)
    scene.db.run(waiting)
    assert await archive(scene) == ["I live in Graz.", "Graz is nice."]
    await live(scene, 70)
    assert len(await archive(scene)) == 4


async def test_recent_text__is_kept(scene: Scene) -> None:
    await live(scene, DAYS - 1)
    await write_everything(scene)
    assert len(await archive(scene)) == 2


async def test_batches_and_later_runs__miss_nothing(scene: Scene) -> None:
    for days in (90, 85, 80, 75):
        await live(scene, days)
    await write_everything(scene)
    scene.db.run(
        "insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)"
        " select user_id, id, 'day', (%s::timestamptz - interval '85 days')::date, now() from public.user_profile_list",
        (scene.clock.now(),),
    )
    assert 0 < len(await archive(scene, rows=1)) < 8
    scene.db.run("delete from keepsake.summary_periods")
    assert await archive(scene, rows=1) == []


@pytest.mark.parametrize("settings", [None], indirect=True)
async def test_without_the_setting__every_text_is_kept(scene: Scene) -> None:
    await live(scene, 3000)
    await write_everything(scene)
    assert len(await archive(scene)) == 2
