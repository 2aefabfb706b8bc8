"""The model away for a while under load, then back: every turn is read in the end, and once."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import count

import pytest
from starlette.responses import Response

from keepsake.infra.settings import Settings
from tests.faults.backlog import ALL, Backlog
from tests.fixtures.model import with_model
from tests.model_server.asked import Asked
from tests.model_server.running import ModelServer
from tests.model_server.script import FAULTS, Rate

CONCURRENCY = 3
RATE_A_MINUTE = 20
FLAPPING = ["error_500", "reset", "busy", "empty_choices", "cut_json", "ends_midway", "html", "error_in_200"]


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, worker_concurrency=CONCURRENCY)


def turns_asked_about(model: ModelServer, last: int | None = None) -> Counter[str]:
    """How often each turn was asked about."""
    turns = [
        chat["messages"] for chat in model.script.chats if len(chat["messages"]) > 1
    ]  # without the short questions
    return Counter(str(messages[1]["content"]) for messages in turns[-(last or 0) :])


async def test_down_then_back__every_turn_is_read_once(backlog: Backlog, model: ModelServer) -> None:
    """Connections refused for five minutes, 503 for three; then it answers, to so many at once as were configured."""
    for _ in range(5):
        await backlog.cron(seconds=60)
    assert backlog.unfinished() == ALL
    model.up()
    model.script.always("error_503")
    for _ in range(3):
        await backlog.cron(seconds=60)
    assert backlog.unfinished() == ALL
    model.script.always(None)
    model.script.latency = 0.1
    model.script.most_at_once = 0
    await backlog.drain(every=30, at_most=3600)
    backlog.assert_each_read_once("llm")
    assert 1 < model.script.most_at_once <= CONCURRENCY
    assert len(turns_asked_about(model, ALL)) == ALL, "nobody was asked about twice once it was back"


async def test_a_rate_told_by_refusals__is_kept(backlog: Backlog, model: ModelServer) -> None:
    """After a `Retry-After` nobody calls before its time, but for who was on the way already."""
    model.up()
    model.script.rate = rate = Rate(RATE_A_MINUTE, 60, clock=lambda: backlog.scene.clock.now().timestamp())
    await backlog.drain(every=10, at_most=7200)
    backlog.assert_each_read_once("llm")
    windows = -(-ALL // RATE_A_MINUTE)
    assert 0 < rate.refused <= CONCURRENCY * (windows + 1)
    assert rate.too_early <= (CONCURRENCY - 1) * (windows + 1)


async def test_locked_out_under_load__one_call_a_minute_then_every_turn_once(
    backlog: Backlog, model: ModelServer
) -> None:
    """An hour without a valid key costs an hour's probes, not sixty turns' retries."""
    model.up()
    model.script.always("unauthorized")
    for _ in range(12):
        await backlog.cron(seconds=300)
    assert backlog.unfinished() == ALL
    assert len(model.script.chats) <= CONCURRENCY + 12
    model.script.always(None)
    await backlog.drain(every=60, at_most=3600)
    backlog.assert_each_read_once("llm")


async def test_flapping__every_turn_is_read_once(backlog: Backlog, model: ModelServer) -> None:
    """Every second call fails in one of many ways, on and on: by the model or by rules, each turn is read."""
    numbers = count()

    async def now_and_then(asked: Asked) -> Response:
        number = next(numbers)
        return asked.answers_well() if number % 2 else await FAULTS[FLAPPING[number // 2 % len(FLAPPING)]](asked)

    model.up()
    model.script.always(now_and_then)
    await backlog.drain(every=60, at_most=7200)
    backlog.assert_each_read_once("llm", "rules")


async def test_cron_overlapping__none_is_read_twice(backlog: Backlog, model: ModelServer) -> None:
    """Several runs at once share the backlog."""
    await backlog.cron(seconds=60)
    model.up()
    backlog.scene.clock.advance(minutes=10)
    await asyncio.gather(*(backlog.cron() for _ in range(3)))
    await backlog.drain(every=30, at_most=1800)
    backlog.assert_each_read_once("llm")
    assert set(turns_asked_about(model).values()) == {1}
