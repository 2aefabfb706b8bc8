"""The model is busy, broken, or locks us out: the turn waits as long as it should, and is read in the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, Asking, assert_nothing_leaks
from tests.fixtures.model import with_model
from tests.fixtures.resources import use_resources
from tests.model_server.refusals import SECONDS
from tests.model_server.running import ModelServer

RETRIES = 5

# What each asks us to wait, in seconds: told by the endpoint, or ours to choose.
BUSY = {
    "busy": None,
    "busy_for_seconds": SECONDS,
    "busy_until_date": SECONDS,
    "busy_for_milliseconds": SECONDS,
    "busy_for_nonsense": None,
    "error_500": None,
    "error_502": None,
    "error_503": None,
    "error_503_for_seconds": SECONDS,
    "error_504": None,
    "reset": None,
    "reset_midway": None,
    "ends_midway": None,
}
LOCKED_OUT = ["unauthorized", "forbidden", "quota", "no_such_model"]


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


@pytest.mark.parametrize("fault", BUSY)
async def test_busy__the_turn_waits_and_is_read_later(
    asking: Asking, capfd: pytest.CaptureFixture[str], fault: str
) -> None:
    """Queued with nothing written, not asked before its time, and read by the model once it answers."""
    asking.script.then(fault)
    asked = await asking.about()
    asking.assert_waiting(asked)
    told = BUSY[fault]
    if told is None:
        assert 1 <= asking.wait(asked) <= 600
    else:
        assert told - 2 <= asking.wait(asked) <= told * 1.5
    asking.assert_waiting(await asking.again(asked.message))
    assert len(asking.script.chats) == 1
    asking.assert_read_by("llm", await asking.when_due(asked), FOUND)
    probes = 1 if told is not None and told > 60 else 0  # after a longer pause a short question comes first
    assert len(asking.script.chats) == 2 + probes
    assert_nothing_leaks(asked, capfd)


async def test_refused__the_turn_waits_and_is_read_later(asking: Asking, model: ModelServer) -> None:
    model.down()
    asked = await asking.about()
    asking.assert_waiting(asked)
    model.up()
    asking.assert_read_by("llm", await asking.when_due(asked), FOUND)


async def test_busy_for_ever__is_not_believed(asking: Asking) -> None:
    """A thousand years of `Retry-After` are a quarter of an hour at most; then one call probes."""
    asking.script.then("busy_for_ever")
    asked = await asking.about()
    asking.assert_waiting(asked)
    assert asking.wait(asked) <= 15 * 60 + 30
    asking.assert_read_by("llm", await asking.when_due(asked), FOUND)


@pytest.mark.parametrize("fault", ["busy", "error_503", "busy_for_seconds"])
async def test_busy__rules_read_it_after_the_last_retry(asking: Asking, fault: str) -> None:
    asking.script.always(fault)
    asked = await asking.about()
    waits = []
    for _ in range(RETRIES):
        asking.assert_waiting(asked)
        waits.append(asking.wait(asked))
        asked = await asking.when_due(asked)
    asking.assert_read_by("rules", asked, FOUND)
    assert len(asking.script.chats) == 1 + RETRIES
    assert asked.row["attempts"] <= 1, "waiting for the model is no crash"
    if fault != "busy_for_seconds":
        assert waits[-1] > 2 * waits[0], "it waits longer each time"


@pytest.mark.parametrize("fault", LOCKED_OUT)
async def test_locked_out__nobody_calls_but_one_probe_a_minute(
    asking: Asking, capfd: pytest.CaptureFixture[str], fault: str
) -> None:
    """The circuit breaker is open for every turn alike; mended, the model reads them all."""
    asking.script.always(fault)
    first = await asking.about()
    asking.assert_waiting(first)
    assert len(asking.script.chats) == 1
    others = [await asking.again(asking.scene.says(f"I like tea number {number}.")) for number in range(4)]
    for other in others:
        asking.assert_waiting(other)
    assert len(asking.script.chats) == 1
    for minute in range(1, 4):
        asking.scene.clock.advance(seconds=91)
        for asked in (first, *others):
            asking.assert_waiting(await asking.again(asked.message))
        assert len(asking.script.chats) == 1 + minute
    asking.script.always(None)
    asking.scene.clock.advance(seconds=91)
    mended = [await asking.again(asked.message) for asked in (first, *others)]
    assert {asked.said["generator"] for asked in mended} == {"llm"}
    assert len(asking.scene.told()) == 5
    assert_nothing_leaks(first, capfd)


@pytest.mark.parametrize("fault", ["unauthorized", "quota"])
async def test_locked_out__rules_read_it_after_a_day(asking: Asking, fault: str) -> None:
    """Hours of probes quarantine nothing; after the day a turn waits no longer, and the model is still probed."""
    asking.script.always(fault)
    asked = await asking.about()
    for _ in range(23):
        asking.scene.clock.advance(hours=1)
        asked = await asking.again(asked.message)
        asking.assert_waiting(asked)
    asking.scene.clock.advance(hours=1, minutes=1)
    asking.assert_read_by("rules", await asking.again(asked.message), FOUND)


async def test_after_the_retries__a_late_answer_of_the_model_changes_nothing(asking: Asking) -> None:
    """What rules have read is read: the same call once more is told the same."""
    asking.script.always("error_500")
    asked = await asking.about()
    for _ in range(RETRIES):
        asked = await asking.when_due(asked)
    asking.script.always(None)
    calls = len(asking.script.chats)
    again = await asking.again(asked.message)
    assert (again.outcome, again.texts) == (("duplicate", None), [FOUND])
    assert len(asking.script.chats) == calls


@pytest.mark.parametrize("fault", ["error_500", "reset", "hang"])
async def test_away_for_all__only_probes_call_and_rules_read_after_ten_minutes(
    asking: Asking, model: ModelServer, settings: Settings, fault: str
) -> None:
    """Three calls that fail open the circuit for everybody; nobody waits for a deadline of their own."""
    short = with_model(settings, model, model_deadline_seconds=0.5, model_patience_seconds=600.0)
    with use_resources(replace(asking.scene.resources, settings=short)):
        model.script.always(fault)
        turns = [await asking.about(f"I like tea number {number}.") for number in range(8)]
        asking.scene.clock.advance(seconds=20)
        assert {asked.said["reason"] for asked in turns} == {"model_unavailable"}
        assert len(model.script.chats) <= 3 + 6, "three calls, and a probe a minute"
        called = len(model.script.chats)
        for asked in turns:
            await asking.again(asked.message)
        assert len(model.script.chats) <= called + 1
        asking.scene.clock.advance(minutes=10)
        read = [await asking.again(asked.message) for asked in turns]
        assert {asked.said["generator"] for asked in read} == {"rules"}
