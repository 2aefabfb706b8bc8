"""``extract-user-memory`` over HTTP: the shape of its answer, and its refusals."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from tests.fixtures.scene import Holdup, Scene
from tests.http.conftest import Functions


async def test_the_answer__has_exactly_the_fields_of_the_contract(functions: Functions, scene: Scene) -> None:
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    answer = await functions.call("extract-user-memory", body)
    assert answer.status_code == 200
    said = answer.json()
    assert set(said) == {"status", "reason", "extraction_id", "generator", "memories"}
    assert (said["status"], said["reason"], said["generator"]) == ("extracted", None, "rules")
    (memory,) = said["memories"]
    assert set(memory) == {"id", "ref", "type", "text", "confidence", "action"}
    assert (memory["type"], memory["text"], memory["action"]) == ("fact", "Lives in Graz", "created")
    again = (await functions.call("extract-user-memory", body)).json()
    assert again == {**said, "status": "duplicate"}


async def test_a_clause_that_no_rule_knows__is_read_by_its_grammar(functions: Functions, scene: Scene) -> None:
    message = scene.says("temping at an insurer at last, what should I wear on monday")
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    said = (await functions.call("extract-user-memory", body)).json()
    assert [memory["text"] for memory in said["memories"]] == ["Is temping at an insurer at last"]
    body["message_id"] = str(scene.says("my flight got delayed, temping can wait"))
    assert (await functions.call("extract-user-memory", body)).json()["memories"] == []


async def test_skipped__names_the_rule(functions: Functions, scene: Scene) -> None:
    scene.set(building=False)
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    said = (await functions.call("extract-user-memory", body)).json()
    assert (said["status"], said["reason"], said["memories"]) == ("skipped", "paused", [])


async def test_in_progress__is_202(functions: Functions, scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    holder = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    answer = await functions.call("extract-user-memory", body)
    assert (answer.status_code, answer.json()["status"], answer.json()["reason"]) == (202, "queued", "in_progress")
    holdup.go_on.set()
    await holder


async def test_over_the_rate__is_429_with_when_to_come_again(functions: Functions, scene: Scene) -> None:
    scene.clock.at = scene.clock.at.replace(second=20)
    scene.db.run(
        "insert into keepsake.counters (user_id, name, period_start, value)"
        " values (%s, 'extractions', date_trunc('minute', %s::timestamptz), 1000)",
        (scene.ada.user_id, scene.clock.now()),
    )
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    answer = await functions.call("extract-user-memory", body)
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert answer.headers["retry-after"] == "40"


async def test_an_unknown_message__is_404(functions: Functions, scene: Scene) -> None:
    body = {"conversation_id": str(scene.chat), "message_id": str(uuid4())}
    answer = await functions.call("extract-user-memory", body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
