"""``conversation-manager`` over HTTP: both actions, for the person who calls and nobody else."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person


async def test_update_conversation_profile__chooses_and_clears(functions: Functions, scene: Scene) -> None:
    body = {"action": "update_conversation_profile", "conversation_id": str(scene.chat)}
    cleared = await functions.call("conversation-manager", {**body, "profile_id": None}, headers=as_person(scene.ada))
    assert set(cleared.json()) == {"conversation_id", "profile_id", "memory_enabled", "remember_since"}
    assert (cleared.status_code, cleared.json()["profile_id"]) == (200, None)
    chosen = await functions.call(
        "conversation-manager", {**body, "profile_id": str(scene.ada.profile_id)}, headers=as_person(scene.ada)
    )
    assert (chosen.status_code, chosen.json()["profile_id"]) == (200, str(scene.ada.profile_id))


async def test_update_conversation_profile__refuses_what_is_not_ones_own(functions: Functions, scene: Scene) -> None:
    bob = scene.people.person("Bob")
    second = scene.people.profile(scene.ada.user_id, "Countess")
    body = {"action": "update_conversation_profile", "conversation_id": str(scene.chat)}
    for profile, person, status in (
        (bob.profile_id, scene.ada, 404),
        (uuid4(), scene.ada, 404),
        (second, scene.ada, 409),
        (bob.profile_id, bob, 404),
    ):
        answer = await functions.call(
            "conversation-manager", {**body, "profile_id": str(profile)}, headers=as_person(person)
        )
        assert answer.status_code == status


async def test_set_memory_enabled__is_kept(functions: Functions, scene: Scene) -> None:
    body = {"action": "set_memory_enabled", "conversation_id": str(scene.chat)}
    for enabled in (False, True, None):
        answer = await functions.call(
            "conversation-manager", {**body, "memory_enabled": enabled}, headers=as_person(scene.ada)
        )
        assert (answer.status_code, answer.json()["memory_enabled"]) == (200, enabled)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": "delete_everything"},
        {"action": "set_memory_enabled"},
        {"action": "set_memory_enabled", "memory_enabled": "yes"},
        {"action": "update_conversation_profile"},
        {"action": "update_conversation_profile", "profile_id": 7},
        {"action": "update_conversation_profile", "memory_enabled": True, "profile_id": None},
    ],
)
async def test_no_such_action__is_400(functions: Functions, scene: Scene, body: dict[str, Any]) -> None:
    given = {**body, "conversation_id": str(scene.chat)} if body else body
    answer = await functions.call("conversation-manager", given, headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
