"""What has had its time ends by its own rule, in batches, and what is deleted for good leaves no trace."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, LiteralString
from uuid import UUID

import pytest

from keepsake.usecases.archive_old_memories import DEFAULT_SIZES, BatchSizes, LifecycleRun, archive_old_memories
from tests.fixtures.scene import Scene

NOTHING = LifecycleRun(expired=0, forgotten=0, archived=0, folded=0, over_cap=0, deleted=0, done=True)
TWO_YEARS = timedelta(days=2 * 365 + 1)


async def run(scene: Scene, max_seconds: float = 30, sizes: BatchSizes = DEFAULT_SIZES) -> LifecycleRun:
    """One run of cron."""
    return await archive_old_memories(scene.resources, max_seconds=max_seconds, sizes=sizes)


def memory(scene: Scene, text: str = "Lives in Graz", **columns: Any) -> UUID:
    """Store a memory of Ada as given."""
    return scene.people.memory(scene.ada, text, source="rule_extraction", **columns)


def status(scene: Scene, memory_id: UUID) -> str | None:
    """Where a memory is in its life; None once it is gone."""
    rows = scene.db.all("select status from public.user_memory where id = %s", (memory_id,))
    return rows[0]["status"] if rows else None


async def test_nothing_due__nothing_done(scene: Scene) -> None:
    memory(scene)
    assert await run(scene) == NOTHING


async def test_past_its_time__is_expired(scene: Scene) -> None:
    over = memory(scene, expires_at=scene.clock.now())
    to_come = memory(scene, expires_at=scene.clock.now() + timedelta(seconds=1))
    assert (await run(scene)).expired == 1
    assert (status(scene, over), status(scene, to_come)) == ("expired", "active")


async def test_restored__stays(scene: Scene) -> None:
    """What a person brings back counts as used: the next night does not archive it again."""
    old = memory(scene, created_at=scene.clock.now() - TWO_YEARS)
    assert (await run(scene)).archived == 1
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.restore_memory(%s)", (old,))
    assert (await run(scene)).archived == 0
    assert status(scene, old) == "active"


async def test_old_and_unused__is_archived(scene: Scene) -> None:
    made = scene.clock.now() - TWO_YEARS
    unused = memory(scene, created_at=made)
    used = memory(scene, created_at=made, last_referenced_at=scene.clock.now() - timedelta(days=100))
    pinned = memory(scene, created_at=made, pinned=True)
    young = memory(scene, created_at=scene.clock.now() - timedelta(days=600))
    assert (await run(scene)).archived == 1
    assert [status(scene, one) for one in (unused, used, pinned, young)] == ["archived", "active", "active", "active"]
    row = scene.db.one("select archived_at from public.user_memory where id = %s", (unused,))
    assert row["archived_at"] == scene.clock.now()


async def test_long_term__keeps_the_old(scene: Scene) -> None:
    scene.set(long_term=True)
    old = memory(scene, created_at=scene.clock.now() - TWO_YEARS)
    assert (await run(scene)).archived == 0
    assert status(scene, old) == "active"


async def test_retention__is_by_type_and_spares_what_is_pinned(scene: Scene) -> None:
    scene.set(retention_days='{"goal": 30}')
    said = scene.clock.now() - timedelta(days=31)
    goal = memory(scene, memory_type="goal", valid_from=said)
    pinned = memory(scene, memory_type="goal", valid_from=said, pinned=True)
    fact = memory(scene, valid_from=said)
    recent = memory(scene, memory_type="goal", valid_from=said + timedelta(days=2))
    assert (await run(scene)).forgotten == 1
    assert [status(scene, one) for one in (goal, pinned, fact, recent)] == ["deleted", "active", "active", "active"]


@pytest.mark.parametrize(
    "act",
    [
        "select public.confirm_memory(id) from public.user_memory where memory_type = 'goal'",
        "update public.user_memory set memory_text = 'Wants a boat' where memory_type = 'goal'",
        "select public.restore_memory(id) from public.user_memory where status = 'deleted'",
    ],
    ids=["confirmed", "edited", "restored"],
)
async def test_what_the_person_acted_on__is_kept_as_long_again(scene: Scene, act: LiteralString) -> None:
    """What retention forgot, and its person brought back, is not forgotten again in the next night."""
    scene.set(retention_days='{"goal": 30}')
    goal = memory(scene, memory_type="goal", valid_from=scene.clock.now() - timedelta(days=31))
    if "restore" in act:
        assert (await run(scene)).forgotten == 1
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute(act)
    scene.clock.advance(days=1)
    await run(scene)
    assert status(scene, goal) == "active"
    scene.clock.advance(days=31)
    await run(scene)
    assert status(scene, goal) == "deleted"


@pytest.mark.parametrize("days", ["30.0", "30", "3e1"])
async def test_retention__holds_however_json_writes_the_number(scene: Scene, days: str) -> None:
    """What one person writes in their settings never stops the run for everybody else."""
    scene.set(retention_days=f'{{"goal": {days}}}')
    old, recent = (
        memory(scene, memory_type="goal", valid_from=scene.clock.now() - timedelta(days=age)) for age in (31, 29)
    )
    assert (await run(scene)).forgotten == 1
    assert [status(scene, one) for one in (old, recent)] == ["deleted", "active"]


async def test_over_the_cap__the_oldest_go(scene: Scene) -> None:
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source, created_at)"
        " select %s, %s, 'Memory ' || n, 'fact', 'import', now() - make_interval(hours => 2000 - n)"
        " from generate_series(1, 1004) as n",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    assert (await run(scene)).over_cap == 5  # with the name
    gone = scene.db.all("select memory_text from public.user_memory where status = 'archived' order by created_at")
    assert [row["memory_text"] for row in gone] == [f"Memory {number}" for number in range(1, 6)]


async def test_over_the_cap__what_must_not_be_missed_goes_last(scene: Scene) -> None:
    """A name or an allergy is the oldest of all in most accounts."""
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source, importance, created_at)"
        " select %s, %s, 'Memory ' || n, 'fact', 'import', case when n <= 10 then 3 else 1 end,"
        " now() - make_interval(hours => 2000 - n) from generate_series(1, 1004) as n",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    assert (await run(scene)).over_cap == 5  # with the name
    gone = scene.db.all("select memory_text from public.user_memory where status = 'archived' order by created_at")
    assert [row["memory_text"] for row in gone] == [f"Memory {number}" for number in range(11, 16)]


async def test_forgotten_thirty_days_ago__is_gone_with_every_trace(scene: Scene) -> None:
    forgotten = memory(scene, "Lives in Quinceville")
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (forgotten,))
    deleted_at = scene.db.value("select deleted_at from public.user_memory where id = %s", (forgotten,))
    scene.clock.at = deleted_at + timedelta(days=30)
    assert (await run(scene)).deleted == 0
    scene.clock.advance(seconds=1)
    assert (await run(scene)).deleted == 1
    for table in ("public.user_memory", "keepsake.changes", "keepsake.memory_index"):
        trace = f"select from {table} as t where to_jsonb(t)::text like '%%uince%%' or to_jsonb(t)::text like %s"
        assert not scene.db.all(trace, (f"%{forgotten}%",)), table


async def test_changes_that_cannot_be_undone__keep_no_words(scene: Scene) -> None:
    """An edited text, or a superseded one, does not live on in the record; that it was changed, and why, does."""
    memory(scene, "Lives in Quinceville")
    scene.db.run("update public.user_memory set memory_text = 'Lives in Graz' where memory_text like '%%ince%%'")
    scene.clock.at = scene.db.value("select max(created_at) from keepsake.changes") + timedelta(days=30)
    words = "select count(*) from keepsake.changes where before::text like '%%ince%%'"
    rows = scene.db.value("select count(*) from keepsake.changes")
    await run(scene)
    assert scene.db.value(words) == 1
    scene.clock.advance(days=2)
    await run(scene)
    assert scene.db.value(words) == 0
    assert scene.db.value("select count(*) from keepsake.changes where after is null and before is null") == rows


async def test_every_operation__is_the_crons_and_has_its_reason(scene: Scene) -> None:
    memory(scene, expires_at=scene.clock.now())
    await run(scene)
    change = scene.db.one("select actor, reason from keepsake.changes where action = 'update'")
    assert (change["actor"], change["reason"]) == ("cron", "expired")


async def test_more_than_a_batch__is_done_in_several(scene: Scene) -> None:
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source, expires_at)"
        " select %s, %s, 'Memory ' || n, 'fact', 'import', %s from generate_series(1, 620) as n",
        (scene.ada.user_id, scene.ada.profile_id, scene.clock.now()),
    )
    assert (await run(scene)).expired == 620
    assert scene.db.value("select count(distinct operation_id) from keepsake.changes where actor = 'cron'") == 2


async def test_no_time__leaves_the_rest_for_the_next_run(scene: Scene) -> None:
    over = memory(scene, expires_at=scene.clock.now())
    assert not (await run(scene, 0)).done
    assert status(scene, over) == "active"
    assert (await run(scene)).done


async def test_injections__are_accounted_for_half_a_year(scene: Scene) -> None:
    scene.db.run(
        "insert into keepsake.injections (user_id, conversation_id, created_at)"
        " select p.user_id, p.conversation_id, %s - make_interval(days => d)"
        " from public.conversations_participants as p, unnest(array[179, 181]) as d where p.user_id = %s",
        (scene.clock.now(), scene.ada.user_id),
    )
    before = scene.db.value("select count(*) from keepsake.injections")
    await run(scene)
    assert scene.db.value("select count(*) from keepsake.injections") * 2 == before > 0


async def test_old_but_used_memories__hide_nobody_behind_them(scene: Scene) -> None:
    """Batches go on behind what has to stay, and end when they have seen everything."""
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source, created_at,"
        " last_referenced_at) select %s, %s, 'Memory ' || n, 'fact', 'import', %s, case when mod(n, 3) > 0 then %s end"
        " from generate_series(1, 60) as n",
        (scene.ada.user_id, scene.ada.profile_id, scene.clock.now() - TWO_YEARS, scene.clock.now()),
    )
    assert (await run(scene, sizes=BatchSizes(scanned=7))).archived == 20


async def test_several_people__are_each_kept_to_their_own_retention(scene: Scene) -> None:
    said = scene.clock.now() - timedelta(days=31)
    kept: list[UUID] = []
    ended: list[UUID] = []
    for number in range(5):
        person = scene.people.person(f"Person {number}")
        scene.db.run(
            "insert into public.user_memory_settings (user_id, retention_days) values (%s, %s)",
            (person.user_id, f'{{"goal": {40 if number % 2 else 30}}}'),
        )
        ids = [scene.people.memory(person, text, memory_type="goal", valid_from=said) for text in ("Runs", "Reads")]
        (kept if number % 2 else ended).extend(ids)
    assert (await run(scene, sizes=BatchSizes(people=2))).forgotten == 6
    assert {status(scene, one) for one in kept} == {"active"}
    assert {status(scene, one) for one in ended} == {"deleted"}


@pytest.mark.parametrize("days, kept", [(6, 1), (8, 0)])
async def test_deliveries__are_known_for_a_week(scene: Scene, days: int, kept: int) -> None:
    scene.db.run(
        "insert into keepsake.webhook_deliveries (webhook_id, status, outcome, received_at)"
        " values ('msg_1', 202, '{}', %s)",
        (scene.clock.now() - timedelta(days=days),),
    )
    await run(scene)
    assert scene.db.value("select count(*) from keepsake.webhook_deliveries") == kept


async def test_running_numbers__stay_while_rates_go(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    scene.clock.advance(days=2)
    await run(scene)
    assert [row["name"] for row in scene.db.all("select name from keepsake.counters")] == ["memory_no"]
