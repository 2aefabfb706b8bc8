"""The fence around who looks at a turn: one at a time, never past their claim, never past the person's consent."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from keepsake.errors import DatabaseUnavailable, NotFound, RateLimited
from keepsake.usecases.extraction.proposals import MessageToRead, Proposal
from keepsake.usecases.turns.claimed_turn import MAX_ATTEMPTS
from tests.fixtures.scene import Holdup, Scene


async def test_held__others_are_told_it_is_in_progress(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    holder = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    second = await scene.extract(message)
    assert (second.status, second.reason) == ("queued", "in_progress")
    holdup.go_on.set()
    assert (await holder).status == "extracted"


async def test_thinking__holds_no_connection(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    holder = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    busy = (
        "select count(*) from pg_stat_activity"
        " where datname = %s and usename = 'keepsake_api' and xact_start is not null"
    )
    assert scene.db.value(busy, (scene.db.name,)) == 0
    holdup.go_on.set()
    await holder


async def test_frozen_past_its_claim__writes_nothing_once_thawed(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    frozen = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    scene.clock.advance(seconds=2 * scene.resources.settings.model_deadline_seconds)
    assert (await scene.extract(message)).status == "extracted"
    holdup.go_on.set()
    assert (await frozen).status == "duplicate"
    assert scene.told() == ["Lives in Graz"]
    assert scene.db.value("select count(*) from keepsake.changes where actor = 'rules'") == 1


@pytest.mark.parametrize(
    "withdrawal, reason",
    [
        ("update public.user_memory_settings set building = false where user_id = %(user)s", "paused"),
        (
            "update public.user_memory_settings set erased_before = now() + '1 hour' where user_id = %(user)s",
            "before_consent",
        ),
        ("update public.conversations set memory_enabled = false where id = %(chat)s", "conversation_off"),
        ("update public.conversations set profile_id = null where id = %(chat)s", "no_profile"),
    ],
)
async def test_consent_withdrawn_meanwhile__nothing_is_written(scene: Scene, withdrawal: Any, reason: str) -> None:
    scene.set(building=True)
    message, holdup = scene.says("I live in Graz."), Holdup()
    thinking = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    scene.db.run(withdrawal, {"user": scene.ada.user_id, "chat": scene.chat})
    holdup.go_on.set()
    found = await thinking
    assert (found.status, found.reason) == ("skipped", reason)
    assert scene.told() == []


async def test_a_message_edited_meanwhile__is_read_again(scene: Scene) -> None:
    """What was found in words that are gone is not stored, and the new words are not lost."""
    message, holdup = scene.says("I live in Graz."), Holdup()
    thinking = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    scene.db.run("update public.messages set content = 'I live in Linz.' where id = %s", (message,))
    holdup.go_on.set()
    found = await thinking
    assert (found.status, found.reason) == ("queued", "in_progress")
    assert scene.told() == []
    assert (await scene.extract(message)).status == "extracted"
    assert scene.told() == ["Lives in Linz"]


async def test_a_message_edited_afterwards__keeps_its_memories(scene: Scene) -> None:
    """An application also updates a message for reasons of its own, so what was remembered of it does not end."""
    message = scene.says("I live in Graz.")
    assert (await scene.extract(message)).status == "extracted"
    scene.db.run("update public.messages set content = 'I live in Linz.' where id = %s", (message,))
    assert (await scene.extract(message)).status == "duplicate"
    assert scene.told() == ["Lives in Graz"]


async def test_the_database_away__is_no_crash_of_the_turn(scene: Scene) -> None:
    """However often it happens, the turn is not set aside for it."""
    message = scene.says("I live in Graz.")

    async def away(said: MessageToRead) -> Proposal:
        raise DatabaseUnavailable(retry_after=1)

    for _ in range(MAX_ATTEMPTS + 1):
        with pytest.raises(DatabaseUnavailable):
            await scene.extract(message, generate=away)
    assert (await scene.extract(message)).status == "extracted"


async def test_a_message_deleted_meanwhile__is_not_found(scene: Scene) -> None:
    message, holdup = scene.says("I live in Graz."), Holdup()
    thinking = asyncio.create_task(scene.extract(message, generate=holdup.propose))
    await holdup.reached.wait()
    scene.db.run("delete from public.messages where id = %s", (message,))
    holdup.go_on.set()
    with pytest.raises(NotFound):
        await thinking
    assert scene.told() == []


async def test_crashing__gives_the_turn_back_and_the_fifth_time_sets_it_aside(scene: Scene) -> None:
    async def crash(said: MessageToRead) -> Proposal:
        await asyncio.sleep(0)
        raise ZeroDivisionError

    message = scene.says("I live in Graz.")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(ZeroDivisionError):
            await scene.extract(message, generate=crash)
        row = scene.row(message)
        assert row is not None
        assert (row["attempts"], row["status"]) == (attempt, "quarantined" if attempt == MAX_ATTEMPTS else "pending")
    again = await scene.extract(message)
    assert (again.status, again.reason) == ("duplicate", "crashed")


async def test_dying_without_a_word__the_sixth_claim_sets_the_turn_aside(scene: Scene) -> None:
    message, frozen = scene.says("I live in Graz."), []
    for _ in range(MAX_ATTEMPTS):
        holdup = Holdup()
        frozen.append(asyncio.create_task(scene.extract(message, generate=holdup.propose)))
        await holdup.reached.wait()
        scene.clock.advance(seconds=2 * scene.resources.settings.model_deadline_seconds)
    found = await scene.extract(message)
    assert (found.status, found.reason) == ("skipped", "quarantined")
    assert scene.told() == []
    for task in frozen:
        task.cancel()
    await asyncio.gather(*frozen, return_exceptions=True)


async def test_over_the_rate__is_refused_and_leaves_no_claim(scene: Scene) -> None:
    scene.clock.at = scene.clock.at.replace(second=10) + timedelta(minutes=1)
    scene.db.run(
        "insert into keepsake.counters (user_id, name, period_start, value)"
        " values (%s, 'extractions', date_trunc('minute', %s::timestamptz), %s)",
        (scene.ada.user_id, scene.clock.now(), scene.resources.settings.extractions_per_minute - 1),
    )
    last, over = scene.says("I live in Graz."), scene.says("I live in Oslo.")
    assert (await scene.extract(last)).status == "extracted"
    with pytest.raises(RateLimited) as refusal:
        await scene.extract(over)
    assert refusal.value.retry_after == 50
    assert scene.row(over) is None
    scene.clock.advance(minutes=1)
    assert (await scene.extract(over)).status == "extracted"


async def test_the_rate_of_one_person__does_not_touch_another(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.db.run(
        "insert into keepsake.counters (user_id, name, period_start, value)"
        " values (%s, 'extractions', date_trunc('minute', %s::timestamptz), 1000)",
        (bob.user_id, scene.clock.now()),
    )
    assert (await scene.extract(scene.says("I live in Graz."))).status == "extracted"
