"""The summaries of every day that is over are written in one run, and those of a past day again by a backfill."""

from __future__ import annotations

from datetime import date

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.usecases.generate_daily_summaries import SummaryRun, generate_daily_summaries
from tests.fixtures.scene import Scene
from tests.support.summaries import remember, rows

OCTOBER = BackfillSpan(year=2024, month=10)


async def run(scene: Scene, **backfill: object) -> SummaryRun:
    """One run of cron, or a backfill."""
    return await generate_daily_summaries(scene.resources, max_seconds=30, **backfill)  # type: ignore[arg-type]


async def test_what_is_due__is_written_for_everybody_once(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.db.run("delete from keepsake.summary_periods")
    remember(scene, "2024-10-31", "Lives in Graz")
    remember(scene, "2024-10-30", "Lives in Rome", person=bob)
    assert await run(scene) == SummaryRun(marked=0, queued=2, remaining=0, done=True)
    assert await run(scene) == SummaryRun(marked=0, queued=0, remaining=0, done=True)
    assert [len(rows(scene, "daily", person)) for person in (scene.ada, bob)] == [1, 1]


async def test_a_deleted_summary__is_restored_by_the_backfill(scene: Scene) -> None:
    remember(scene, "2024-10-30", "Lives in Graz")
    remember(scene, "2024-11-20", "Lives in Rome")
    await run(scene)
    texts = ("id", "created_at", "updated_at", "source_ids")
    before = [{name: row[name] for name in row if name not in texts} for row in rows(scene, "daily")]
    scene.db.run("delete from public.user_memory_daily_summaries")
    assert (await run(scene)).queued == 0
    again = await run(scene, backfill=OCTOBER)
    assert again.marked >= 1
    assert (again.queued, again.done) == (1, True)
    after = [{name: row[name] for name in row if name not in texts} for row in rows(scene, "daily")]
    assert (len(before), len(after)) == (2, 1)
    assert after[0] in before


async def test_a_backfill__of_one_person_is_not_of_others(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    remember(scene, "2024-10-30", "Lives in Graz")
    remember(scene, "2024-10-30", "Lives in Rome", person=bob)
    scene.db.run("delete from keepsake.summary_periods")
    again = await run(scene, backfill=BackfillSpan(day=date(2024, 10, 30)), user_id=bob.user_id)
    assert again.queued == 1
    assert [len(rows(scene, "daily", person)) for person in (scene.ada, bob)] == [0, 1]


async def test_without_time__the_work_waits_in_the_queue(scene: Scene) -> None:
    scene.db.run("delete from keepsake.summary_periods")
    remember(scene, "2024-10-30", "Lives in Graz")
    done = await generate_daily_summaries(scene.resources, max_seconds=0)
    assert (done.queued, done.done, rows(scene, "daily")) == (1, False, [])
    await scene.resources.queue.run_until_idle()
    assert len(rows(scene, "daily")) == 1
