"""A saved message is noted once, in the same transaction as its job, whoever tells of it and how often."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from keepsake.errors import NotFound
from keepsake.store.webhook_deliveries import Receipt
from keepsake.usecases.chat_send import chat_send
from tests.fixtures.scene import Scene

JOBS = "select count(*) from keepsake.procrastinate_jobs"


async def send(scene: Scene, message: object, webhook_id: str | None = None) -> Receipt:
    """Deliver a message of the chat."""
    return await chat_send(
        scene.resources,
        conversation_id=scene.chat,
        message_id=message,  # type: ignore[arg-type]
        webhook_id=webhook_id,
    )


async def test_a_message__is_noted_with_its_job_and_extracted_by_it(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    receipt = await send(scene, message)
    row = scene.row(message)
    assert row is not None
    assert (receipt.status, list(receipt.extraction_ids)) == ("accepted", [row["id"]])
    assert (row["status"], scene.db.value(JOBS)) == ("pending", 1)
    await scene.resources.queue.run_until_idle(10)
    assert (scene.told(), scene.db.value(JOBS)) == (["Lives in Graz"], 0)


async def test_job_arguments__are_ids_only(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await send(scene, message)
    arguments = scene.db.value("select args from keepsake.procrastinate_jobs")
    assert arguments == {"conversation_id": str(scene.chat), "message_id": str(message)}


async def test_fifty_deliveries_at_once__make_one_job(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    receipts = await asyncio.gather(*(send(scene, message, "msg_1") for _ in range(50)))
    assert [receipt.repeated for receipt in receipts].count(False) == 1
    assert len({receipt.extraction_ids for receipt in receipts}) == 1
    assert scene.db.value(JOBS) == 1


async def test_fifty_deliveries_under_different_names__make_one_job(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await asyncio.gather(*(send(scene, message, f"msg_{number}") for number in range(50)))
    assert scene.db.value(JOBS) == 1
    await scene.resources.queue.run_until_idle(10)
    assert scene.told() == ["Lives in Graz"]


async def test_an_answer__stands_for_what_was_said_before_it(scene: Scene) -> None:
    first, second = scene.says("I live in Graz."), scene.says("I have a dog named Rex.")
    await scene.extract(first)
    scene.clock.advance(seconds=1)
    receipt = await send(scene, scene.people.answers(scene.chat, "Noted."))
    row = scene.row(second)
    assert row is not None
    assert receipt.extraction_ids == (row["id"],)


async def test_an_answer_with_nothing_before_it__is_ignored(scene: Scene) -> None:
    receipt = await send(scene, scene.people.answers(scene.chat, "Hello!"))
    assert (receipt.status, receipt.reason) == ("ignored", "nothing_to_extract")


async def test_an_unknown_message__leaves_nothing_behind(scene: Scene) -> None:
    """So that the same delivery may succeed once the message is there."""
    with pytest.raises(NotFound):
        await send(scene, uuid4(), "msg_1")
    assert scene.db.value("select count(*) from keepsake.webhook_deliveries") == 0
