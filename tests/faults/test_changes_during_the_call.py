"""What changes while the model thinks about a turn counts for that turn; the model answers when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, SAID, Asking
from tests.fixtures.model import with_model
from tests.fixtures.until import until
from tests.model_server.running import ModelServer

DEADLINE = 60.0
"""Seconds, which no test waits for."""


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A pool of one, and patience with the model."""
    return with_model(settings, model, model_deadline_seconds=DEADLINE, database_pool_size=1)


async def test_paused__nothing_is_written(asking: Asking) -> None:
    await while_it_thinks(asking, lambda: asking.scene.set(building=False), ("skipped", "paused"))


async def test_turned_off__nothing_is_written(asking: Asking) -> None:
    def turn_off() -> None:
        asking.scene.db.run("update public.conversations set memory_enabled = false")

    await while_it_thinks(asking, turn_off, ("skipped", "conversation_off"))


async def test_taken_over__the_turn_is_read_once(asking: Asking) -> None:
    """Whoever is late by the clock finds the claim gone, and leaves the turn to the other."""
    asking.script.is_thinking = True
    message = asking.scene.says(SAID)
    slow = asyncio.create_task(asking.again(message))
    await until(lambda: asking.script.at_once == 1)
    asking.scene.clock.advance(seconds=2 * DEADLINE)
    quick = asyncio.create_task(asking.again(message))
    await until(lambda: asking.script.at_once == 2)
    asking.script.is_thinking = False
    assert (await quick).outcome == ("extracted", None)
    assert (await slow).outcome in {("queued", "in_progress"), ("duplicate", None)}
    assert asking.scene.told() == [FOUND]
    assert asking.scene.db.value("select max(reference_count) from public.user_memory") == 0


async def while_it_thinks(asking: Asking, change: Callable[[], None], outcome: tuple[str, str]) -> None:
    """Let something change while the model thinks about a turn; this must then be the turn's outcome."""
    asking.script.is_thinking = True
    thinking = asyncio.create_task(asking.about())
    await until(lambda: asking.script.at_once == 1)
    change()
    asking.script.is_thinking = False
    asked = await thinking
    assert asked.outcome == outcome
    assert asking.scene.told() == []
    assert (asked.row["status"], asked.row["results"]) == ("skipped", [])
