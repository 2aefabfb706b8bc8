"""``erase-memories`` over HTTP: confirmed by a word, previewed without, and never more than was named."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person


async def test_erasing__is_previewed_confirmed_and_counted(functions: Functions, scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    headers, body = as_person(scene.ada), {"subject": "ramen"}
    preview = await functions.call("erase-memories", {**body, "dry_run": True}, headers=headers)
    assert preview.status_code == 200
    assert [memory["text"] for memory in preview.json()["memories"]] == ["Favorite food is ramen"]
    assert scene.told() == ["Favorite food is ramen"]

    done = await functions.call("erase-memories", {**body, "confirm": "erase"}, headers=headers)
    assert done.status_code == 200
    told = done.json()
    assert told["erased"] == preview.json()["erased"]
    assert told["erased"]["public.user_memory"] == 1
    assert set(told["remaining"].values()) == {0}
    assert "ramen" not in done.text.lower()
    assert scene.told() == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"confirm": "erase"},
        {"everything": True},
        {"everything": True, "confirm": "yes"},
        {"everything": True, "confirm": True},
        {"everything": False, "confirm": "erase"},
        {"everything": "true", "confirm": "erase"},
        {"memory_ids": [], "confirm": "erase"},
        {"memory_ids": None, "confirm": "erase"},
        {"memory_ids": ["%"], "confirm": "erase"},
        {"memory_ids": ["M-1", ""], "confirm": "erase"},
        {"memory_ids": "M-1", "confirm": "erase"},
        {"memory_ids": ["M-1"], "everything": True, "confirm": "erase"},
        {"subject": "", "confirm": "erase"},
        {"subject": " ", "confirm": "erase"},
        {"subject": "%", "confirm": "erase"},
        {"subject": "_", "confirm": "erase"},
        {"subject": "a\x00b", "confirm": "erase"},
        {"subject": "x" * 201, "confirm": "erase"},
        {"profile_id": "mine", "confirm": "erase"},
        {"user_id": str(uuid4()), "everything": True, "confirm": "erase"},
    ],
)
async def test_what_is_not_meant_clearly__is_400_and_erases_nothing(
    functions: Functions, scene: Scene, body: dict[str, Any]
) -> None:
    scene.people.memory(scene.ada, "Lives in Graz")
    answer = await functions.call("erase-memories", body, headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert answer.json()["details"]
    assert scene.told() == ["Lives in Graz"]


async def test_what_is_anothers__is_404(functions: Functions, scene: Scene) -> None:
    bob = scene.people.person("Bob")
    his = scene.people.memory(bob, "Lives in Graz")
    for wish in ({"memory_ids": [str(his)]}, {"memory_ids": ["M-99"]}, {"profile_id": str(bob.profile_id)}):
        answer = await functions.call("erase-memories", {**wish, "confirm": "erase"}, headers=as_person(scene.ada))
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert scene.told(bob) == ["Lives in Graz"]
