"""While the model thinks, or never stops: the deadline holds, and no connection to the database is kept from others."""

from __future__ import annotations

import asyncio
import time

import pytest

from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, Asking, assert_nothing_leaks
from tests.fixtures.model import with_model
from tests.fixtures.until import until
from tests.model_server.running import ModelServer

DEADLINE = 3.0
"""Seconds; long enough for a busy machine to reach the model within it."""
SLACK = 30.0
WAITING_FOR_THE_POOL = 60.0
ENDLESS = ["hang", "trickle"]


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A pool of one, and little patience with the model."""
    return with_model(
        settings,
        model,
        model_deadline_seconds=DEADLINE,
        database_pool_size=1,
        database_timeout_seconds=WAITING_FOR_THE_POOL,
    )


@pytest.mark.parametrize("fault", ENDLESS)
async def test_endless__the_deadline_is_absolute(asking: Asking, capfd: pytest.CaptureFixture[str], fault: str) -> None:
    """However often it sends a byte: the turn waits, the endpoint is rid of us, and the next attempt may succeed."""
    asking.script.then(fault)
    began = time.monotonic()
    asked = await asking.about()
    assert DEADLINE * 0.9 <= time.monotonic() - began <= DEADLINE + SLACK
    asking.assert_waiting(asked)
    assert_nothing_leaks(asked, capfd)
    assert len(asking.script.chats) == 1
    await until(lambda: asking.script.at_once == 0)
    asking.assert_read_by("llm", await asking.when_due(asked), FOUND)


async def test_flood__is_not_read_to_its_end(asking: Asking) -> None:
    """A body without end costs neither memory nor time."""
    asking.script.always("huge_body")
    began = time.monotonic()
    asked = await asking.about()
    asking.assert_read_by("rules", asked, FOUND)
    assert time.monotonic() - began <= DEADLINE + SLACK
    assert len(asking.script.chats) == 2, "known for what it is, not timed out"


@pytest.mark.parametrize("fault", ENDLESS)
async def test_hanging__inject_memory_answers_with_a_pool_of_one(asking: Asking, fault: str) -> None:
    """The only connection is there for everybody while the model thinks."""
    asking.scene.people.memory(asking.scene.ada, "Lives in Graz", memory_key="fact|person|self|home", value="graz")
    asking.script.always(fault)
    thinking = asyncio.create_task(asking.about())
    await until(lambda: asking.script.at_once == 1)
    question = asking.scene.says("Where do I live?")
    body = {"conversation_id": str(asking.scene.chat), "message_id": str(question)}
    answer = await asking.functions.call("inject-memory", body)
    assert answer.status_code == 200
    assert "Lives in Graz" in answer.json()["context"]
    assert asking.script.at_once == 1, "it still thinks"
    assert busy_connections(asking) == 0
    assert (await thinking).outcome == ("queued", "model_unavailable")


async def test_many_hanging_at_once__each_ends_in_time_with_a_pool_of_one(asking: Asking) -> None:
    """Turns wait for the model side by side, not one after the other."""
    asking.script.always("hang")
    messages = [asking.scene.says(f"I like tea number {number}.") for number in range(12)]
    everybody = asyncio.gather(*(asking.again(message) for message in messages))
    for asked in await everybody:
        asking.assert_waiting(asked)
    assert asking.script.most_at_once > 1


async def test_hanging__chat_send_answers_at_once(asking: Asking) -> None:
    """The webhook never waits for a model, nor for a worker that does."""
    asking.script.always("hang")
    queue = asking.scene.resources.queue
    body = {"conversation_id": str(asking.scene.chat), "message_id": str(asking.scene.says("I live in Graz."))}
    assert (await asking.functions.call("chat-send", body)).status_code == 202
    working = asyncio.create_task(queue.run_until_idle(10))
    await until(lambda: asking.script.at_once == 1)
    body["message_id"] = str(asking.scene.says("I have a dog named Rex."))
    assert (await asking.functions.call("chat-send", body)).status_code == 202
    await working


def busy_connections(asking: Asking) -> int:
    """How many of the functions' connections are in a transaction, or at a statement."""
    count: int = asking.scene.db.value(
        "select count(*) from pg_stat_activity"
        " where usename = 'keepsake_api' and datname = current_database() and state <> 'idle'"
    )
    return count
