"""The functions that generate summaries, over HTTP, as cron and an operator call them."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions
from tests.support.summaries import forget_waiting, remember, rows

pytestmark = pytest.mark.parametrize("level", ["daily", "weekly", "monthly"])


def name(level: str) -> str:
    """The function of a level."""
    return f"generate-{level}-summaries"


async def test_cron__has_the_due_summaries_written(functions: Functions, scene: Scene, level: str) -> None:
    forget_waiting(scene)
    remember(scene, "2024-10-31", "Lives in Graz")
    answer = await functions.call(name(level))
    assert answer.json() == {"marked": 0, "queued": 1, "remaining": 0, "done": True}
    assert len(rows(scene, level)) == 1


async def test_a_backfill__is_asked_for_by_the_url(functions: Functions, scene: Scene, level: str) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    forget_waiting(scene)
    query = {"action": "backfill", "year": "2024", "month": "10", "user_id": str(scene.ada.user_id)}
    answer = await functions.send("POST", name(level), headers=AS_SERVICE, params=query)
    assert (answer.status_code, answer.json()["queued"]) == (200, 1)
    assert len(rows(scene, level)) == 1


@pytest.mark.parametrize(
    "query, detail",
    [
        ({"year": "2024", "month": "10"}, "action"),
        ({"action": "backfill"}, "date"),
        ({"action": "again"}, "action"),
        ({"action": "backfill", "year": "2024", "month": "13"}, "month"),
        ({"action": "backfill", "year": "x", "month": "1"}, "year"),
        ({"action": "backfill", "date": "2024-02-30"}, "date"),
        ({"action": "backfill", "date": "9999-12-31"}, "date"),
        ({"action": "backfill", "date": "1969-12-31"}, "date"),
        ({"action": "backfill", "date": "1700000000"}, "date"),
        ({"action": "backfill", "day": "2024-02-20"}, "day"),
        ({"action": "backfill", "date": "2024-02-20", "user_id": "me"}, "user_id"),
    ],
)
async def test_a_wrong_parameter__is_named(
    functions: Functions, level: str, query: dict[str, str], detail: str
) -> None:
    answer = await functions.send("POST", name(level), headers=AS_SERVICE, params=query)
    assert answer.status_code == 400, answer.text
    assert detail in answer.json()["details"]
