"""``run-due-jobs`` over HTTP, as cron calls it."""

from __future__ import annotations

from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions


async def test_what_was_lost__is_found_and_done_within_the_call(functions: Functions, scene: Scene) -> None:
    scene.says("I live in Graz.")
    scene.clock.advance(minutes=3)
    answer = await functions.call("run-due-jobs")
    assert (answer.status_code, answer.json()) == (200, {"found": 1, "retried": 0, "stalled": 0, "quarantined": 0})
    assert scene.told() == ["Lives in Graz"]


async def test_an_empty_body__is_nothing_wished(functions: Functions) -> None:
    """pg_net can post without a body."""
    assert (await functions.send("POST", "run-due-jobs", headers=AS_SERVICE)).status_code == 200


async def test_no_time__only_queues(functions: Functions, scene: Scene) -> None:
    scene.says("I live in Graz.")
    scene.clock.advance(minutes=3)
    await functions.call("run-due-jobs", {"max_seconds": 0})
    assert scene.told() == []
    assert scene.db.value("select count(*) from keepsake.procrastinate_jobs where status = 'todo'") == 1
