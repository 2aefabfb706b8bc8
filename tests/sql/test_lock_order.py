"""Whoever changes several memories locks them in the order of their ids, so that nobody waits in a circle."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

FIRST, LAST = UUID(int=1, version=4), UUID(int=2**128 - 1, version=4)
LOCK = "select id from public.user_memory where id = %s for no key update"
MERGE = "select pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || %s::text || %s::text, 0))"
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """Somebody with two memories, the one with the higher id stored first."""
    person = people.person("Ada")
    db.run("delete from public.user_memory")
    for memory_id in (LAST, FIRST):
        people.memory(person, "Lives in Graz", id=memory_id, source="user")
    return person


def as_person(db: Clone, person: Account, statement: str, *arguments: object) -> None:
    """Do something as the person through REST would."""
    with db.as_person(person.user_id) as connection:
        connection.execute(statement.encode(), arguments)


def wait_for_somebody(db: Clone) -> None:
    """Until a transaction waits for a lock."""
    until = time.monotonic() + 60
    while db.value(WAITING) == 0:
        assert time.monotonic() < until, "nobody waits"
        time.sleep(0.02)


def uses_both_meanwhile(db: Clone, work: Callable[[], None]) -> None:
    """Count both memories as used, as a message does, while the work has begun in between."""
    with ThreadPoolExecutor(1) as pool:
        with db.as_service() as connection:
            connection.execute(LOCK, (FIRST,))
            working = pool.submit(work)
            wait_for_somebody(db)
            connection.execute(LOCK, (LAST,))
        working.result(timeout=60)


def test_clear__makes_no_circle_with_a_message(db: Clone, ada: Account) -> None:
    uses_both_meanwhile(db, lambda: as_person(db, ada, "select public.clear_my_memories()"))
    assert db.value("select count(*) from public.user_memory where status = 'deleted'") == 2


def test_undo__makes_no_circle_with_a_message(db: Clone, ada: Account) -> None:
    with db.as_person(ada.user_id) as connection:
        row = connection.execute("select public.clear_my_memories() ->> 'operation_id' as id").fetchone()
    assert row is not None
    db.run("update keepsake.changes set seq = default where row_id = %s and action = 'update'", (LAST,))
    uses_both_meanwhile(db, lambda: as_person(db, ada, "select public.undo_operation(%s)", UUID(row["id"])))
    assert db.value("select count(*) from public.user_memory where status = 'active'") == 2


@pytest.mark.parametrize(
    "statement",
    ["select public.clear_my_memories()", "update public.user_profile_list set name = 'Augusta'"],
)
def test_what_changes_the_memories_of_a_profile__waits_for_a_merge_into_it(
    db: Clone, ada: Account, statement: str
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with db.as_service() as connection:
            connection.execute(MERGE, (ada.user_id, ada.profile_id))
            working = pool.submit(as_person, db, ada, statement)
            wait_for_somebody(db)
            assert not working.done()
        working.result(timeout=60)


def test_undo__waits_for_a_merge_before_it_holds_anything(db: Clone, ada: Account) -> None:
    """What erasure, which holds the merge, is about to delete is free."""
    with db.as_person(ada.user_id) as connection:
        row = connection.execute("select public.clear_my_memories() ->> 'operation_id' as id").fetchone()
    assert row is not None
    with ThreadPoolExecutor(1) as pool:
        with db.as_service() as connection:
            connection.execute(MERGE, (ada.user_id, ada.profile_id))
            working = pool.submit(as_person, db, ada, "select public.undo_operation(%s)", UUID(row["id"]))
            wait_for_somebody(db)
            connection.execute("select from keepsake.changes for update nowait")
        working.result(timeout=60)
