"""What changes while the model thinks about a turn counts for that turn; the model answers when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from starlette.responses import Response

from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, SAID, Asking
from tests.fixtures.model import with_model
from tests.fixtures.until import until
from tests.model_server.asked import Asked as Question
from tests.model_server.running import ModelServer

DEADLINE = 60.0
"""Seconds, which no test waits for."""


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A pool of one, and patience with the model."""
    return with_model(settings, model, model_deadline_seconds=DEADLINE, database_pool_size=1)


@pytest.fixture
def answer_now(asking: Asking) -> Iterator[Event]:
    """Set by the test when the model is to answer the first question; later ones are answered at once."""
    now = Event()

    async def thinks(question: Question) -> Response:
        await asyncio.to_thread(now.wait, DEADLINE)
        return question.answers_well()

    asking.script.then(thinks)
    yield now
    now.set()


async def test_paused__nothing_is_written(asking: Asking, answer_now: Event) -> None:
    await while_it_thinks(asking, answer_now, lambda: asking.scene.set(building=False), ("skipped", "paused"))


async def test_turned_off__nothing_is_written(asking: Asking, answer_now: Event) -> None:
    def turn_off() -> None:
        asking.scene.db.run("update public.conversations set memory_enabled = false")

    await while_it_thinks(asking, answer_now, turn_off, ("skipped", "conversation_off"))


async def test_taken_over__the_turn_is_read_once(asking: Asking, answer_now: Event) -> None:
    """Whoever is late by the clock finds the claim gone, and leaves the turn to the other."""
    message = asking.scene.says(SAID)
    slow = asyncio.create_task(asking.again(message))
    await until(lambda: asking.script.at_once == 1)
    asking.scene.clock.advance(seconds=2 * DEADLINE)
    quick = await asking.again(message)
    answer_now.set()
    assert quick.outcome == ("extracted", None)
    assert (await slow).outcome in {("queued", "in_progress"), ("duplicate", None)}
    assert asking.scene.told() == [FOUND]
    assert asking.scene.db.value("select max(reference_count) from public.user_memory") == 0


async def while_it_thinks(
    asking: Asking, answer_now: Event, change: Callable[[], None], outcome: tuple[str, str]
) -> None:
    """Let something change while the model thinks about a turn; this must then be the turn's outcome."""
    thinking = asyncio.create_task(asking.about())
    await until(lambda: asking.script.at_once == 1)
    change()
    answer_now.set()
    asked = await thinking
    assert asked.outcome == outcome
    assert asking.scene.told() == []
    assert (asked.row["status"], asked.row["results"]) == ("skipped", [])
