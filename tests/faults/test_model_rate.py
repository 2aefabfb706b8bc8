"""The backlog drains at the rate that the settings tell, in real time; only a busy machine lets a few bunch up."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest

from keepsake.infra.settings import Settings
from tests.faults.backlog import ALL, Backlog
from tests.fixtures.clock import FixedClock
from tests.fixtures.model import with_model
from tests.model_server.running import ModelServer
from tests.model_server.script import Rate

A_SECOND = 15
LATE = 2
"""Calls that may come in with those of the next second, for the way there is not always equally long."""


class RunningClock(FixedClock):
    """A clock that goes on by itself from where it is put."""

    def __init__(self, at: datetime) -> None:
        super().__init__(at)
        self._began = time.monotonic()

    def now(self) -> datetime:
        """Where it was put, and the time since."""
        return self.at + timedelta(seconds=time.monotonic() - self._began)


@pytest.fixture
def clock(clock: FixedClock) -> FixedClock:
    return RunningClock(clock.at)


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, model_requests_per_minute=60 * A_SECOND, model_deadline_seconds=15)


async def test_a_rate_in_the_settings__is_never_exceeded(backlog: Backlog, model: ModelServer) -> None:
    model.up()
    model.script.rate = rate = Rate(A_SECOND + LATE, 1)
    began = time.monotonic()
    await backlog.drain(every=0.3, at_most=120)
    backlog.assert_each_read_once("llm")
    assert rate.refused <= ALL // 10, "unlimited, three quarters of them are"
    assert time.monotonic() - began >= ALL / A_SECOND - 1
