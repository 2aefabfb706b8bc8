"""A message that is older than its conversation's row is read where nothing forbids it, else the answers say why."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions

GRATEFUL = [0.5, 2, 30, 299]
"""Seconds before its conversation's row at which a message still counts."""


def begin(scene: Scene) -> UUID:
    """A conversation as an application inserts it: what it does not say, the database sets."""
    chat = uuid4()
    scene.db.run(
        "insert into public.conversations (id, user_id, profile_id) values (%s, %s, %s)",
        (chat, scene.ada.user_id, scene.ada.profile_id),
    )
    return chat


def now_of_database(scene: Scene) -> datetime:
    moment: datetime = scene.db.value("select clock_timestamp()")
    return moment


async def turn(functions: Functions, scene: Scene, chat: UUID, text: str, **columns: Any) -> dict[str, Any]:
    """The answers for a message: its context, that it is noted, and its extraction."""
    message = scene.people.says(scene.ada, chat, text, **columns)
    ids = {"conversation_id": str(chat), "message_id": str(message)}
    names = {"context": "inject-memory", "noted": "chat-send", "found": "extract-user-memory"}
    answers = {name: (await functions.call(function, ids)).json() for name, function in names.items()}
    assert answers["noted"]["status"] == "accepted"
    is_old = answers["found"]["reason"] == "before_consent"
    assert answers["noted"]["reason"] == ("before_consent" if is_old else None)
    return answers


@pytest.mark.parametrize("seconds", GRATEFUL)
async def test_a_message_just_before_its_conversation__is_read(
    functions: Functions, scene: Scene, seconds: float
) -> None:
    chat = begin(scene)
    said = await turn(
        functions, scene, chat, "I live in Graz.", created_at=now_of_database(scene) - timedelta(seconds=seconds)
    )
    assert said["found"]["status"] == "extracted"
    assert "Lives in Graz" in scene.people.memories(scene.ada)


async def test_an_older_message__is_not_read_and_the_context_says_why(functions: Functions, scene: Scene) -> None:
    chat = begin(scene)
    said = await turn(
        functions, scene, chat, "I live in Graz.", created_at=now_of_database(scene) - timedelta(seconds=330)
    )
    assert (said["found"]["status"], said["found"]["reason"]) == ("skipped", "before_consent")
    assert said["context"]["reason"] == "before_consent"
    scene.people.memory(scene.ada, "Lives in Linz")
    asked = await turn(
        functions, scene, chat, "Where do I live?", created_at=now_of_database(scene) - timedelta(seconds=330)
    )
    assert "Lives in Linz" in asked["context"]["context"]
    assert asked["context"]["reason"] is None, "what is known may be used"


@pytest.mark.parametrize("what", ["building", "enabled"])
async def test_said_in_a_pause_before_a_new_conversation__is_not_read(
    functions: Functions, scene: Scene, what: str
) -> None:
    scene.set(**{what: False})
    before = now_of_database(scene)
    scene.set(**{what: True})
    scene.clock.advance(seconds=60)
    chat = begin(scene)
    during = await turn(functions, scene, chat, "I live in Graz.", created_at=before)
    assert during["found"]["reason"] == "before_consent"
    after = await turn(functions, scene, chat, "I live in Linz.", created_at=now_of_database(scene))
    assert after["found"]["status"] == "extracted"


def test_the_end_of_a_pause__is_kept_to_the_microsecond(scene: Scene) -> None:
    """A conversation that is begun at once remembers from there, and not from a moment before."""
    for _ in range(20):
        scene.set(building=False)
        scene.set(building=True)
        ended = scene.db.value(
            "select updated_at from public.user_memory_settings where user_id = %s", (scene.ada.user_id,)
        )
        sql = "select remember_since from public.conversations_participants where conversation_id = %s"
        assert scene.db.value(sql, (begin(scene),)) == ended


async def test_erased_before_a_new_conversation__is_not_read(functions: Functions, scene: Scene) -> None:
    before = now_of_database(scene)
    scene.set(erased_before=before + timedelta(milliseconds=1))
    said = await turn(functions, scene, begin(scene), "I live in Graz.", created_at=before)
    assert said["found"]["reason"] == "before_consent"


async def test_a_profile_chosen_later__begins_when_it_is_chosen(functions: Functions, scene: Scene) -> None:
    chat = uuid4()
    scene.db.run("insert into public.conversations (id, user_id) values (%s, %s)", (chat, scene.ada.user_id))
    before = now_of_database(scene)
    scene.db.run("update public.conversations set profile_id = %s where id = %s", (scene.ada.profile_id, chat))
    said = await turn(functions, scene, chat, "I live in Graz.", created_at=before)
    assert said["found"]["reason"] == "before_consent"


async def test_a_clock_that_was_set_back__loses_nothing(functions: Functions, scene: Scene) -> None:
    """Memory was turned on three hours later than it seems to be now; a choice in the future is none."""
    chat = begin(scene)
    scene.people.remember_since(chat, scene.ada, now_of_database(scene) + timedelta(hours=3))
    said = await turn(functions, scene, chat, "I live in Graz.", created_at=now_of_database(scene))
    assert said["found"]["status"] == "extracted"
    forget = await turn(functions, scene, chat, "Forget that I live in Graz.", created_at=now_of_database(scene))
    assert forget["context"]["command_result"]["status"] == "done"
    assert "Lives in Graz" not in scene.people.memories(scene.ada)
    older = now_of_database(scene) - timedelta(minutes=10)
    assert (await turn(functions, scene, chat, "I like tea.", created_at=older))["found"]["reason"] == "before_consent"


async def test_a_turn_of_a_clock_that_was_set_back__is_found_where_its_webhook_is_lost(
    functions: Functions, scene: Scene
) -> None:
    chat = begin(scene)
    scene.people.remember_since(chat, scene.ada, now_of_database(scene) + timedelta(hours=3))
    scene.people.says(scene.ada, chat, "I live in Graz.", created_at=now_of_database(scene))
    scene.clock.advance(minutes=3)
    await functions.call("run-due-jobs")
    assert "Lives in Graz" in scene.people.memories(scene.ada)
