"""``archive-old-memories`` over HTTP, as cron calls it."""

from __future__ import annotations

from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions


async def test_what_has_had_its_time__is_counted_by_rule(functions: Functions, scene: Scene) -> None:
    scene.people.memory(scene.ada, "Feels tired", source="rule_extraction", expires_at=scene.clock.now())
    answer = await functions.send("POST", "archive-old-memories", headers=AS_SERVICE)
    assert answer.status_code == 200
    assert answer.json() == {
        "expired": 1,
        "forgotten": 0,
        "archived": 0,
        "folded": 0,
        "over_cap": 0,
        "deleted": 0,
        "done": True,
    }


async def test_a_wish_for_no_time__leaves_the_rest(functions: Functions, scene: Scene) -> None:
    scene.people.memory(scene.ada, "Feels tired", source="rule_extraction", expires_at=scene.clock.now())
    assert (await functions.call("archive-old-memories", {"max_seconds": 0})).json()["done"] is False
    assert (await functions.call("archive-old-memories", {"max_seconds": -1})).status_code == 400
