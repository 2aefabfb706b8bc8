"""The data is checked in bounded time: of much data that of some people, the last active ones among them."""

from __future__ import annotations

from uuid import UUID

from keepsake.operations.check_data import DataCheck, check_invariants
from tests.fixtures.db import Clone
from tests.fixtures.people import People

BREAK = "update public.user_memory set status = 'superseded', valid_to = null where id = %s"


def test_sample__finds_what_is_wrong_with_the_last_active(people: People, db: Clone) -> None:
    """A violation of who changed something last is found among a few; one of somebody else by looking at all."""
    crowd = [people.person(f"Ada{number}") for number in range(40)]
    memories = [people.memory(person, "Likes ramen") for person in crowd]
    clean = check(db)
    assert not clean.broken
    assert clean.people is not None
    assert 0 < clean.people < len(crowd)
    spoil(db, memories[-1])
    assert check(db).broken["state_without_its_date"] == 1
    spoil(db, memories[0])
    everybody = check(db, everybody=True)
    assert (everybody.broken["state_without_its_date"], everybody.people) == (2, None)


def check(db: Clone, *, everybody: bool = False) -> DataCheck:
    """Check the data as the superuser, at most of a few people."""
    with db.as_superuser() as connection:
        return check_invariants(connection, everybody=everybody, max_memories=10)


def spoil(db: Clone, memory: UUID) -> None:
    """Break an invariant past the triggers that keep it."""
    with db.as_superuser() as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute(BREAK, (memory,))


def test_little_data__is_checked_completely(people: People, db: Clone) -> None:
    people.memory(people.person("Ada"), "Likes ramen")
    with db.as_superuser() as connection:
        assert check_invariants(connection, everybody=False).people is None
