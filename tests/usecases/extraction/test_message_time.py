"""Messages dated in the future or in no calendar, processes whose clock is wrong, and people in other time zones."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from keepsake.infra.clock import Clock
from keepsake.infra.resources import Resources
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Holdup, Scene


class WrongClock(Clock):
    """The clock of a machine that is an hour ahead."""

    def _read_system_time(self) -> datetime:
        return super()._read_system_time() + timedelta(hours=1)


@pytest.mark.parametrize("created_at", ["2 days", "70 years"])
async def test_a_message_of_the_future__does_not_win_over_later_ones(scene: Scene, created_at: str) -> None:
    ahead = scene.clock.now() + timedelta(days=2 if created_at == "2 days" else 70 * 365)
    await scene.extract(scene.says("I live in Oslo.", created_at=ahead))
    assert scene.told() == ["Lives in Oslo"]
    await scene.tell("Actually, I moved to Porto.")
    assert scene.told() == ["Lives in Porto"]


@pytest.mark.parametrize("created_at", ["infinity", "-infinity", "10000-01-01", "0044-03-15 BC", "9999-12-31 23:59:59"])
async def test_a_date_of_no_calendar__ends_with_a_result(scene: Scene, created_at: str) -> None:
    message = scene.says("I live in Oslo.", created_at=created_at)
    extraction = await scene.extract(message)
    assert extraction.status in {"extracted", "skipped"}
    request = ContextRequest(scene.chat, message_id=message, history=True)
    injected = await inject_memory(scene.resources, request)
    assert injected.history is not None
    assert len(injected.history.messages) == 1
    assert 1900 <= injected.history.messages[0].created_at.year <= scene.clock.now().year


async def test_a_process_an_hour_ahead__takes_over_no_live_claim(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    scene.clock.at = datetime.now(scene.clock.at.tzinfo)
    holder = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    built = Resources.build(scene.resources.settings, clock=WrongClock())
    other = replace(built, readers=scene.resources.readers)
    second = await extract_user_memory(other, conversation_id=scene.chat, message_id=message)
    assert (second.status, second.reason) == ("queued", "in_progress")
    assert abs(other.clock.now() - scene.db.value("select clock_timestamp()")) < timedelta(minutes=1)
    await built.database.close()
    holdup.go_on.set()
    assert (await holder).status == "extracted"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
async def test_days_that_last__are_over_a_day_after_their_last_for_the_person(scene: Scene, zone: str) -> None:
    sql = "update public.user_profile_list set timezone = %s where id = %s"
    scene.db.run(sql, (zone, scene.ada.profile_id))
    await scene.tell("My sister is visiting us from Friday to Monday.")
    (row,) = scene.db.all("select period, expires_at from public.user_memory where memory_text like 'Sister%%'")
    first, last = (date.fromisoformat(day) for day in row["period"].split("/"))
    assert (first.weekday(), last.weekday(), (last - first).days) == (4, 0, 3)
    assert row["expires_at"] == datetime.combine(last + timedelta(days=1), time(23, 59, 59), ZoneInfo(zone))
