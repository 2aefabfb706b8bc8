"""``compare-yearly-patterns`` over HTTP, as a person and as a service call it."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person
from tests.support.summaries import add_month

NAME = "compare-yearly-patterns"


@pytest.fixture(autouse=True)
def _two_octobers(scene: Scene) -> None:
    add_month(scene, 2023, ["running"])
    add_month(scene, 2024, ["running"])


async def test_a_person__compares_their_newest_month(functions: Functions, scene: Scene) -> None:
    answer = await functions.call(NAME, {}, headers=as_person(scene.ada))
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["status"], found["year"], found["month"]) == ("compared", 2024, 10)
    assert found["comparison"]["stayed"] == ["running"]
    assert found["earlier"] == {"year": 2023, "month": 10, "themes": ["running"], "memories": []}


async def test_a_service__says_whose(functions: Functions, scene: Scene) -> None:
    assert (await functions.call(NAME, {})).status_code == 400
    body = {"user_id": str(scene.ada.user_id), "year": 2023, "month": 10}
    answer = await functions.call(NAME, body)
    assert answer.json()["status"] == "insufficient_history"
    assert [(one["year"], one["month"]) for one in answer.json()["missing"]] == [(2022, 10)]


async def test_another_person__is_not_found(functions: Functions, scene: Scene) -> None:
    bob = scene.people.person("Bob")
    answer = await functions.call(NAME, {"user_id": str(scene.ada.user_id)}, headers=as_person(bob))
    assert answer.status_code == 404


@pytest.mark.parametrize("body", [{"year": 2024}, {"month": 10}, {"year": 2024, "month": 13}, {"week": 3}])
async def test_a_wrong_month__is_refused(functions: Functions, scene: Scene, body: dict[str, int]) -> None:
    answer = await functions.call(NAME, body, headers=as_person(scene.ada))
    assert answer.status_code == 400
