"""``inject-memory`` over HTTP: the shape of its answer, and who gets whose context."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person

FIELDS = {
    "context",
    "memory_ids",
    "message_ids",
    "summary_ids",
    "memories",
    "token_count",
    "memory_count",
    "variant",
    "injection_id",
    "reason",
    "command_result",
    "history",
}


async def test_the_answer__has_exactly_the_fields_of_the_contract(functions: Functions, scene: Scene) -> None:
    (memory,) = (await scene.tell("My favourite food is ramen.")).memories
    scene.clock.advance(seconds=1)
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("What do I like to eat?"))}
    answer = await functions.call("inject-memory", {**body, "history": True})
    assert answer.status_code == 200
    said = answer.json()
    assert set(said) == FIELDS
    name = scene.db.value("select id::text from public.user_memory where memory_text = 'Name is Ada'")
    assert said["memory_ids"] == [str(memory.id), name], "and that of the line that names her"
    (shown,) = said["memories"]
    assert set(shown) == {"id", "ref", "type", "text", "score", "why"}
    assert (shown["id"], shown["ref"], shown["text"]) == (str(memory.id), memory.ref, memory.text)
    assert (said["memory_count"], said["variant"], said["reason"]) == (1, "treatment", None)
    assert set(said["history"]) == {"messages", "summary"}
    assert said["history"]["messages"][-1]["content"] == "What do I like to eat?"


async def test_a_person__gets_their_own_and_nobody_elses(functions: Functions, scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    bob = scene.people.person("Bob")
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("What do I like to eat?"))}
    own = await functions.call("inject-memory", body, headers=as_person(scene.ada))
    others = await functions.call("inject-memory", body, headers=as_person(bob))
    assert "ramen" in own.json()["context"]
    assert (others.status_code, others.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"user_id": "00000000-0000-4000-8000-000000000000"},
        {"user_message": "Hi"},
        {"message_id": "00000000-0000-4000-8000-000000000000", "user_message": "Hi"},
        {"message_id": "00000000-0000-4000-8000-000000000000", "max_memories": -1},
        {"message_id": "00000000-0000-4000-8000-000000000000", "token_budget": "600"},
        {"message_id": "00000000-0000-4000-8000-000000000000", "history": 1},
        {"message_id": "00000000-0000-4000-8000-000000000000", "emotion_state": "x" * 201},
    ],
)
async def test_half_a_request__is_400(functions: Functions, scene: Scene, extra: dict[str, object]) -> None:
    answer = await functions.call("inject-memory", {"conversation_id": str(scene.chat), **extra})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


async def test_a_person_may_not_speak_for_anybody(functions: Functions, scene: Scene) -> None:
    """An unsaved message is a service's word; a person's own user id makes no difference."""
    body = {"conversation_id": str(scene.chat), "user_id": str(scene.ada.user_id), "user_message": "Food?"}
    assert (await functions.call("inject-memory", body)).status_code == 200
    assert (await functions.call("inject-memory", body, headers=as_person(scene.ada))).status_code == 400


async def test_states_of_the_host__stand_in_the_context_as_given(functions: Functions, scene: Scene) -> None:
    body = {
        "conversation_id": str(scene.chat),
        "message_id": str(scene.says("Hi")),
        "emotion_state": "calm",
        "relationship_stage": "friend",
    }
    context = (await functions.call("inject-memory", body)).json()["context"]
    assert "calm" in context
    assert "friend" in context


@pytest.mark.parametrize("field, kind", [("message_id", "messages"), ("conversation_id", "chats")])
@pytest.mark.parametrize("own_id", [12, "12"])
async def test_an_id_that_is_no_uuid__is_answered_with_how_it_is_stored(
    functions: Functions, scene: Scene, field: str, kind: str, own_id: object
) -> None:
    """As an application with ids of type bigint sends them."""
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("Hi")), field: own_id}
    answer = await functions.call("inject-memory", body)
    assert answer.status_code == 400
    assert f"md5('{kind} ' || id)" in answer.json()["hint"]
