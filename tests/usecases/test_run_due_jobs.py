"""What was lost is found again from the data: webhooks that never came, jobs that died, claims gone stale."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.run_due_jobs import DueRun, run_due_jobs
from keepsake.usecases.turns.claimed_turn import MAX_ATTEMPTS
from tests.fixtures.scene import Holdup, Scene

NOTHING = DueRun(found=0, retried=0, stalled=0, quarantined=0)


async def run(scene: Scene, max_seconds: float = 10) -> DueRun:
    """One run of cron."""
    return await run_due_jobs(scene.resources, max_seconds=max_seconds)


async def test_a_webhook_that_never_came__is_made_good(scene: Scene) -> None:
    scene.says("I live in Graz.")
    assert await run(scene) == NOTHING  # it may still come
    scene.clock.advance(minutes=3)
    assert (await run(scene)).found == 1
    assert scene.told() == ["Lives in Graz"]
    assert await run(scene) == NOTHING


async def test_a_job_that_was_lost__is_queued_again(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=message)
    scene.db.run("delete from keepsake.procrastinate_jobs")
    scene.clock.advance(minutes=3)
    assert (await run(scene)).retried == 1
    assert scene.told() == ["Lives in Graz"]


async def test_a_claim_gone_stale__is_taken_over(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    frozen = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    assert await run(scene) == NOTHING
    scene.clock.advance(seconds=2 * scene.resources.settings.model_deadline_seconds)
    assert (await run(scene)).retried == 1
    assert scene.told() == ["Lives in Graz"]
    holdup.go_on.set()
    assert (await frozen).status == "duplicate"


async def test_dead_five_times__is_set_aside(scene: Scene) -> None:
    message, frozen = scene.says("I live in Graz."), []
    for _ in range(MAX_ATTEMPTS):
        holdup = Holdup()
        frozen.append(asyncio.create_task(scene.extract(message, generate=holdup.propose)))
        await holdup.reached.wait()
        scene.clock.advance(seconds=2 * scene.resources.settings.model_deadline_seconds)
    assert (await run(scene)).quarantined == 1
    row = scene.row(message)
    assert row is not None
    assert (row["status"], row["reason"]) == ("quarantined", "crashed")
    assert await run(scene) == NOTHING
    for task in frozen:
        task.cancel()
    await asyncio.gather(*frozen, return_exceptions=True)


async def test_overlapping_runs__find_a_turn_once(scene: Scene) -> None:
    for city in ("Graz", "Oslo", "Rome"):
        scene.says(f"I have been to {city}.")
    scene.clock.advance(minutes=3)
    runs = await asyncio.gather(*(run(scene, 0) for _ in range(10)))
    assert sum(one.found for one in runs) == 3
    assert scene.db.value("select count(*) from keepsake.procrastinate_jobs") == 3


async def test_pause_then_three_turns_then_unpause__nothing_appears(scene: Scene) -> None:
    scene.set(building=False)
    spoken = scene.clock.now() - timedelta(minutes=5)
    for city in ("Graz", "Oslo", "Rome"):
        scene.says(f"I live in {city}.", created_at=spoken)
    scene.set(building=True)
    scene.clock.advance(minutes=3)
    assert await run(scene) == NOTHING
    assert scene.told() == []


async def test_memory_turned_on_late__nothing_from_before(scene: Scene) -> None:
    chat = scene.people.conversation(scene.ada, memory=False)
    scene.says("I live in Graz.", chat=chat, created_at=scene.clock.now() - timedelta(minutes=5))
    scene.db.run("update public.conversations set profile_id = %s where id = %s", (scene.ada.profile_id, chat))
    scene.clock.advance(minutes=3)
    assert await run(scene) == NOTHING


@pytest.mark.parametrize("days, found", [(6, 1), (8, 0)])
async def test_a_week__is_how_far_it_looks_back(scene: Scene, days: int, found: int) -> None:
    scene.says("I live in Graz.", created_at=scene.clock.now() - timedelta(days=days))
    assert (await run(scene)).found == found


async def test_over_the_rate__the_turn_comes_again(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    scene.db.run(
        "insert into keepsake.counters (user_id, name, period_start, value)"
        " values (%s, 'extractions', date_trunc('minute', %s::timestamptz), 1000)",
        (scene.ada.user_id, scene.clock.now()),
    )
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=message)
    await scene.resources.queue.run_until_idle(10)
    assert scene.told() == []
    scene.clock.advance(minutes=3)
    assert (await run(scene)).retried == 1
    assert scene.told() == ["Lives in Graz"]


async def test_a_job_of_a_dead_worker__is_closed_and_its_turn_found(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=message)
    scene.db.run("insert into keepsake.procrastinate_workers (last_heartbeat) values (now() - interval '5 minutes')")
    scene.db.run(
        "update keepsake.procrastinate_jobs set status = 'doing',"
        " worker_id = (select id from keepsake.procrastinate_workers)"
    )
    scene.clock.advance(minutes=3)
    due = await run(scene)
    assert (due.stalled, due.retried) == (1, 1)
    assert scene.told() == ["Lives in Graz"]
