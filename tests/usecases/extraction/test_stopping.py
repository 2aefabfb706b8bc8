"""A process that is stopped in the middle of a turn gives its claim up: no crash, and what was called is paid."""

from __future__ import annotations

import asyncio

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.turns.claimed_turn import MAX_ATTEMPTS
from tests.fixtures.model import with_model
from tests.fixtures.scene import Holdup, Scene
from tests.model_server.running import ModelServer


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """The scripted model, which thinks longer than the process lives."""
    return with_model(settings, model, model_deadline_seconds=60.0)


async def test_stopped_often__is_not_quarantined(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    for _ in range(MAX_ATTEMPTS + 1):
        holdup = Holdup()
        reading = asyncio.create_task(scene.extract(message, generate=holdup.propose))
        await holdup.reached.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        row = scene.row(message)
        assert row is not None
        assert (row["status"], row["attempts"], row["claim_token"]) == ("pending", 0, None)
        assert row["next_attempt_at"] <= scene.clock.now()


async def test_stopped_during_a_call__counts_what_it_costs(scene: Scene, model: ModelServer) -> None:
    model.script.always("hang")
    message = scene.says("I live in Graz.")
    reading = asyncio.create_task(scene.extract(message))
    for _ in range(500):
        if model.script.chats:
            break
        await asyncio.sleep(0.02)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    usage = scene.db.one("select calls, input_tokens > 0 as paid from keepsake.model_days")
    assert usage == {"calls": 1, "paid": True}


@pytest.mark.parametrize("turns_of_the_loop", [0, 1, 2, 5, 10, 20, 40])
async def test_stopped_at_any_moment__leaves_no_claim(scene: Scene, turns_of_the_loop: int) -> None:
    """Also where the claim was just being committed."""
    message, holdup = scene.says("I live in Graz."), Holdup()
    await scene.resources.prepare_reading()
    await scene.resources.database.ping()
    reading = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    for _ in range(turns_of_the_loop):
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    row = scene.row(message)
    assert row is None or (row["status"], row["attempts"]) == ("pending", 0)
