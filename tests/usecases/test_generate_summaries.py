"""Summaries of all days, weeks and months that are over are written in one run, past ones again by a backfill."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date
from typing import LiteralString

import pytest

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill, SummaryRun
from tests.fixtures.scene import Scene
from tests.support.summaries import forget_waiting, remember, rows

OCTOBER = BackfillSpan(year=2024, month=10)
GENERATORS: dict[str, Callable[..., Awaitable[SummaryRun]]] = {
    "daily": generate_daily_summaries,
    "weekly": generate_weekly_summaries,
    "monthly": generate_monthly_summaries,
}
TABLES: dict[str, LiteralString] = {
    "daily": "delete from public.user_memory_daily_summaries",
    "weekly": "delete from public.user_memory_weekly_summaries",
    "monthly": "delete from public.user_memory_monthly_summaries",
}
pytestmark = pytest.mark.parametrize("level", GENERATORS)


async def run(scene: Scene, level: str, **backfill: object) -> SummaryRun:
    """One run of cron, or a backfill."""
    return await GENERATORS[level](scene.resources, max_seconds=300, **backfill)


async def test_what_is_due__is_written_for_everybody_once(scene: Scene, level: str) -> None:
    bob = scene.people.person("Bob")
    forget_waiting(scene)
    remember(scene, "2024-10-31", "Lives in Graz")
    remember(scene, "2024-10-30", "Lives in Rome", person=bob)
    assert await run(scene, level) == SummaryRun(marked=0, queued=2, remaining=0, done=True)
    assert await run(scene, level) == SummaryRun(marked=0, queued=0, remaining=0, done=True)
    assert [len(rows(scene, level, person)) for person in (scene.ada, bob)] == [1, 1]


async def test_a_deleted_summary__is_restored_by_the_backfill(scene: Scene, level: str) -> None:
    remember(scene, "2024-10-30", "Lives in Graz")
    remember(scene, "2024-11-20", "Lives in Rome")
    await run(scene, level)
    texts = ("id", "created_at", "updated_at", "source_ids")
    before = [{name: row[name] for name in row if name not in texts} for row in rows(scene, level)]
    scene.db.run(TABLES[level])
    forget_waiting(scene)
    assert (await run(scene, level)).queued == 0
    again = await run(scene, level, backfill=SummaryBackfill(OCTOBER))
    assert again.marked >= 1
    assert (again.queued, again.done) == (1, True)
    after = [{name: row[name] for name in row if name not in texts} for row in rows(scene, level)]
    assert (len(before), len(after)) == (2, 1)
    assert after[0] in before


async def test_a_backfill__of_one_person_is_not_of_others(scene: Scene, level: str) -> None:
    bob = scene.people.person("Bob")
    remember(scene, "2024-10-30", "Lives in Graz")
    remember(scene, "2024-10-30", "Lives in Rome", person=bob)
    forget_waiting(scene)
    backfill = SummaryBackfill(BackfillSpan(day=date(2024, 10, 30)), bob.user_id)
    again = await run(scene, level, backfill=backfill)
    assert again.queued == 1
    assert [len(rows(scene, level, person)) for person in (scene.ada, bob)] == [0, 1]


async def test_without_time__the_work_waits_in_the_queue(scene: Scene, level: str) -> None:
    forget_waiting(scene)
    remember(scene, "2024-10-30", "Lives in Graz")
    done = await GENERATORS[level](scene.resources, max_seconds=0)
    assert (done.queued, done.done, rows(scene, level)) == (1, False, [])
    await scene.resources.queue.run_until_idle()
    assert len(rows(scene, level)) == 1
