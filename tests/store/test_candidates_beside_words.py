"""Which memories are candidates for a message although they share no word with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest
from psycopg.rows import dict_row

from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection
from keepsake.store.context_candidates import CandidateQuery, find_candidates
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People


@pytest.fixture
async def conn(db: Clone) -> AsyncIterator[Connection]:
    """A connection that is the service's."""
    async with await Connection.connect(db.api_url, row_factory=dict_row, prepare_threshold=None) as connection:
        await connection.execute("set local role service_role")
        yield connection


async def candidates(conn: Connection, person: Account, message: str, now: datetime) -> set[str]:
    """The texts of the candidates for a message."""
    query = CandidateQuery(
        user_id=person.user_id,
        profile_id=person.profile_id,
        persona_id=None,
        types=list(MemoryType),
        text=message,
        now=now,
    )
    return {one.memory.text for one in await find_candidates(conn, query)}


async def test_an_allergy_behind_ten_newer_pins__is_a_candidate(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Is allergic to peanuts", importance=3, valid_from=now - timedelta(days=9))
    for number in range(12):
        people.memory(person, f"Pinned note {number}", pinned=True, importance=3, valid_from=now)
    assert "Is allergic to peanuts" in await candidates(conn, person, "hello", now)
