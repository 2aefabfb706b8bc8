"""``chat-send`` over HTTP: signed deliveries and Supabase's own webhooks, answered at once and only once."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, signed

JOBS = "select count(*) from keepsake.procrastinate_jobs"


async def deliver(functions: Functions, payload: Any, *, webhook_id: str = "msg_1") -> httpx.Response:
    """Send a signed delivery."""
    body = json.dumps(payload).encode()
    return await functions.send("POST", "chat-send", headers=signed(body, webhook_id=webhook_id), content=body)


def database_webhook(scene: Scene, message: UUID, **changed: Any) -> dict[str, Any]:
    """What Supabase sends when a row is inserted into messages."""
    record = {
        "id": str(message),
        "conversation_id": str(scene.chat),
        "user_id": str(scene.ada.user_id),
        "role": "user",
        "content": "I live in Oslo.",
        "meta": {},
        "a_column_of_the_host": [1, None],
    }
    return {
        "type": "INSERT",
        "table": "messages",
        "schema": "public",
        "record": record,
        "old_record": None,
        **changed,
    }


async def test_ids__are_answered_202_with_the_row_that_is_queued(functions: Functions, scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    answer = await functions.call("chat-send", {"conversation_id": str(scene.chat), "message_id": str(message)})
    row = scene.row(message)
    assert row is not None
    assert answer.status_code == 202
    assert answer.json() == {"status": "accepted", "reason": None, "extraction_ids": [str(row["id"])]}


async def test_fifty_deliveries_at_once__make_one_extraction(functions: Functions, scene: Scene) -> None:
    payload = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    answers = await asyncio.gather(*(deliver(functions, payload) for _ in range(50)))
    assert sorted(answer.status_code for answer in answers) == [200] * 49 + [202]
    assert len({answer.text for answer in answers}) == 1
    assert scene.db.value(JOBS) == 1
    await scene.resources.queue.run_until_idle(10)
    assert scene.told() == ["Lives in Graz"]


async def test_an_id_seen__answers_the_first_outcome_whatever_it_carries(functions: Functions, scene: Scene) -> None:
    first = await deliver(
        functions, {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    )
    other = scene.says("I have a dog named Rex.")
    again = await deliver(functions, {"conversation_id": str(scene.chat), "message_id": str(other)})
    assert (again.status_code, again.json()) == (200, first.json())
    assert scene.row(other) is None


@pytest.mark.parametrize("since", ["remember_since", "erased_before"])
async def test_a_message_from_before_consent__is_told_so_by_every_delivery(
    functions: Functions, scene: Scene, since: str
) -> None:
    """A message that was there already, when the profile was chosen or everything was erased; later ones are read."""
    message = scene.says("I live in Graz.")
    after = scene.clock.now() + timedelta(seconds=1)
    if since == "erased_before":
        scene.set(erased_before=after)
    else:
        scene.people.remember_since(scene.chat, scene.ada, after)
    payload = {"conversation_id": str(scene.chat), "message_id": str(message)}
    answers = [await deliver(functions, payload) for _ in range(2)]
    answers.append(await functions.call("chat-send", payload))
    assert [(one.json()["status"], one.json()["reason"]) for one in answers] == [("accepted", "before_consent")] * 3
    scene.clock.advance(seconds=2)
    later = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I have a dog named Rex."))}
    assert (await deliver(functions, later, webhook_id="msg_2")).json()["reason"] is None
    await scene.resources.queue.run_until_idle(10)
    assert scene.told() == ["Has a dog named Rex"]


async def test_a_database_webhook__is_read_for_its_ids_alone(functions: Functions, scene: Scene) -> None:
    """What it says of the content does not count: the text is read from the database."""
    message = scene.says("I live in Graz.")
    assert (await functions.call("chat-send", database_webhook(scene, message))).status_code == 202
    await scene.resources.queue.run_until_idle(10)
    assert scene.told() == ["Lives in Graz"]


@pytest.mark.parametrize(
    "changed",
    [
        {"type": "UPDATE", "old_record": {"id": 1}},
        {"type": "DELETE", "record": None, "old_record": {"id": 1}},
        {"table": "conversations"},
    ],
)
async def test_a_webhook_about_something_else__is_ignored(
    functions: Functions, scene: Scene, changed: dict[str, Any]
) -> None:
    message = scene.says("I live in Graz.")
    answer = await functions.call("chat-send", database_webhook(scene, message, **changed))
    assert (answer.status_code, answer.json()["status"]) == (202, "ignored")
    assert scene.row(message) is None


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"type": "INSERT"},
        {"type": "TRUNCATE", "table": "messages", "record": None},
        {"type": "INSERT", "table": "messages", "record": {"id": "x", "conversation_id": "y"}},
        {"type": "INSERT", "table": "messages", "record": {}, "surprise": 1},
        {"conversation_id": "00000000-0000-4000-8000-000000000000"},
        {"record": []},
    ],
)
async def test_neither_form__is_400(functions: Functions, payload: dict[str, Any]) -> None:
    answer = await functions.call("chat-send", payload)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert answer.json()["details"]


async def test_a_signature_of_another_body__is_401(functions: Functions, scene: Scene) -> None:
    body = json.dumps({"conversation_id": str(scene.chat), "message_id": str(scene.says("Hi"))}).encode()
    for headers in (signed(b"{}"), {**signed(body), "webhook-timestamp": "1"}, {"webhook-signature": "nonsense,,"}):
        answer = await functions.send("POST", "chat-send", headers=headers, content=body)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_an_unknown_message__may_be_delivered_again_later(functions: Functions, scene: Scene) -> None:
    """A webhook can be faster than the transaction it speaks of."""
    message = uuid4()
    payload = {"conversation_id": str(scene.chat), "message_id": str(message)}
    assert (await deliver(functions, payload)).status_code == 404
    scene.says("I live in Graz.", id=message)
    assert (await deliver(functions, payload)).status_code == 202


async def test_an_answer__waits_for_nothing_but_the_queue(functions: Functions, scene: Scene) -> None:
    """The message is read by a worker, after the answer; how fast that is, ``bench.speed.webhooks`` measures."""
    payload = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    assert (await deliver(functions, payload)).status_code == 202
    assert scene.told() == []
    assert scene.db.value("select count(*) from keepsake.procrastinate_jobs where status = 'todo'") == 1
