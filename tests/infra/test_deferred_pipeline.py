"""Statements that travel together are sent when an answer is awaited, all at once, and keep no locks."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from keepsake.errors import DatabaseUnavailable
from keepsake.infra.database import Connection, Database, Profile
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone

TIME_TO_ARRIVE = 0.1
STATE = "select state from pg_stat_activity where pid = %s"
LONGER_THAN_A_BUFFER = 300_000
TRY = "select pg_try_advisory_xact_lock(42)"
NOTED = "select array_agg(webhook_id order by webhook_id) from keepsake.webhook_deliveries"
NOTE = "insert into keepsake.webhook_deliveries (webhook_id, status, outcome) values (%s, 1, '{}')"


@pytest.fixture
def direct(db: Clone, settings: Settings) -> Database:
    """A database of one connection, which reaches Postgres itself."""
    url = type(settings.database_url)(db.direct_api_url)
    return Database(settings.model_copy(update={"database_url": url, "database_pool_size": 1}))


@pytest.mark.parametrize(
    "profile, state",
    [(Profile.HOT, "idle"), (Profile.LOCKING_PREPARED, "idle"), (Profile.LOCKING, "idle in transaction")],
)
async def test_statements__wait_for_the_first_answer_that_is_asked_for(
    db: Clone, direct: Database, profile: Profile, state: str
) -> None:
    async with direct.as_service(profile) as conn:
        await conn.execute("select 1")
        await asyncio.sleep(TIME_TO_ARRIVE)
        assert db.value(STATE, (conn.info.backend_pid,)) == state
        assert await (await conn.execute("select current_user as who")).fetchone() == {"who": "service_role"}
    await direct.close()


BATCHED = pytest.mark.parametrize("profile", [Profile.HOT, Profile.LOCKING_PREPARED])


@BATCHED
async def test_statements__longer_than_a_buffer_arrive_whole_and_in_order(direct: Database, profile: Profile) -> None:
    texts = [letter * LONGER_THAN_A_BUFFER for letter in "abcde"]
    async with direct.as_service(profile) as conn:
        cursors = [await conn.execute("select %s as text", (text,)) for text in texts]
        rows = [await cursor.fetchone() for cursor in cursors]
    await direct.close()
    assert rows == [{"text": text} for text in texts]


@BATCHED
async def test_a_batch_that_is_cancelled__leaves_a_connection_that_works(direct: Database, profile: Profile) -> None:
    async def sleep() -> None:
        async with direct.as_service(profile) as conn:
            await (await conn.execute("select pg_sleep(60)")).fetchone()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(sleep(), TIME_TO_ARRIVE)
    async with direct.as_service(profile) as conn:
        assert await (await conn.execute("select 1 as one")).fetchone() == {"one": 1}
    await direct.close()


@BATCHED
async def test_answers__may_be_read_after_the_end(direct: Database, profile: Profile) -> None:
    """What ends the transaction brings the answers of what was sent with it."""
    async with direct.as_service(profile) as conn:
        cursor = await conn.execute("select 1 as one")
    assert await cursor.fetchone() == {"one": 1}
    await direct.close()


@BATCHED
async def test_an_error_in_the_middle__is_raised_where_it_is_asked_for(direct: Database, profile: Profile) -> None:
    async def divide() -> None:
        async with direct.as_service(profile) as conn:
            await conn.execute("select 1 / 0")
            await (await conn.execute("select 1")).fetchone()

    with pytest.raises(psycopg.errors.DivisionByZero):
        await divide()
    await direct.ping()
    await direct.close()


@pytest.mark.parametrize("profile", [Profile.LOCKING, Profile.LOCKING_PREPARED, Profile.RECEIVING])
async def test_a_frozen_process__keeps_no_lock(db: Clone, settings: Settings, profile: Profile) -> None:
    """The server ends the transaction of a process that asks nothing more, and the lock is free."""
    url = type(settings.database_url)(db.direct_api_url)
    database = Database(settings.model_copy(update={"database_url": url, "statement_timeout_seconds": 0.3}))

    async def freeze() -> None:
        async with database.as_service(profile) as conn:
            await (await conn.execute("select pg_advisory_xact_lock(42)")).fetchone()
            assert not db.value(TRY)
            await asyncio.sleep(1)
            assert db.value(TRY)

    with pytest.raises(DatabaseUnavailable):
        await freeze()
    await database.close()


async def test_a_savepoint__takes_back_its_block_alone(direct: Database, db: Clone) -> None:
    async def fail(conn: Connection) -> None:
        async with conn.transaction():
            await conn.execute(NOTE, ("inner",))
            raise ZeroDivisionError

    async with direct.as_service(Profile.LOCKING_PREPARED) as conn:
        await conn.execute(NOTE, ("outer",))
        with pytest.raises(ZeroDivisionError):
            await fail(conn)
        await conn.execute(NOTE, ("last",))
    await direct.close()
    assert db.value(NOTED) == ["last", "outer"]
