"""A transaction is a person's or the service's, never the login's own; and nothing of it stays on the connection."""

from __future__ import annotations

import asyncio
import time
from uuid import uuid4

import psycopg
import pytest

from keepsake.errors import DatabaseUnavailable, StatementTimeout
from keepsake.identity import Person
from keepsake.infra.clock import Clock
from keepsake.infra.database import Database, become_service
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone

WHO = "select current_user as who, nullif(current_setting('request.jwt.claims', true), '') as claims"
UID = "select current_user as who, (select auth.uid()) as uid"


@pytest.mark.parametrize("pipeline", [True, False])
async def test_as_user__is_that_person_to_the_database(settings: Settings, *, pipeline: bool) -> None:
    database = Database(settings.model_copy(update={"database_pipeline": pipeline}))
    person = Person(uuid4(), {"sub": "forged", "role": "service_role", "email": "ada@example.com"})
    async with database.as_user(person) as conn:
        assert await (await conn.execute(UID)).fetchone() == {"who": "authenticated", "uid": person.user_id}
        await become_service(conn)
        assert await (await conn.execute(UID)).fetchone() == {"who": "service_role", "uid": person.user_id}
    await database.close()


async def test_nothing_stays__on_a_connection_that_goes_back(database: Database) -> None:
    pool = await database.pool()
    async with database.as_user(Person(uuid4())):
        pass
    async with pool.connection() as conn:
        assert await (await conn.execute(WHO)).fetchone() == {"who": "keepsake_api", "claims": None}


async def test_the_login_itself__may_read_nothing(database: Database) -> None:
    pool = await database.pool()
    for table in ("public.user_memory", "public.messages", "keepsake.extractions", "keepsake.changes"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with pool.connection() as conn:
                await conn.execute(f"select from {table}".encode())


async def divide(database: Database) -> None:
    """Write something, then fail."""
    async with database.as_service() as conn:
        await conn.execute(
            "insert into keepsake.webhook_deliveries (webhook_id, status, outcome) values ('m', 1, '{}')"
        )
        await (await conn.execute("select 1 / 0 as n")).fetchone()


async def test_an_error__rolls_back_and_the_connection_goes_on(database: Database, db: Clone) -> None:
    for _ in range(12):
        with pytest.raises(psycopg.errors.DivisionByZero):
            await divide(database)
    await database.ping()
    assert db.value("select count(*) from keepsake.webhook_deliveries") == 0


@pytest.mark.parametrize("pipeline", [True, False])
async def test_an_error_nobody_waited_for__is_an_error_all_the_same(settings: Settings, *, pipeline: bool) -> None:
    """Batched statements are checked before the commit, at the latest."""
    database = Database(settings.model_copy(update={"database_pipeline": pipeline}))
    with pytest.raises(psycopg.errors.DivisionByZero):
        async with database.as_service() as conn:
            await conn.execute("select 1 / 0")
    await database.ping()
    await database.close()


async def test_too_slow_a_statement__is_cut_off(settings: Settings) -> None:
    database = Database(settings.model_copy(update={"statement_timeout_seconds": 0.1}))
    with pytest.raises(StatementTimeout):
        async with database.as_service() as conn:
            await (await conn.execute("select pg_sleep(5)")).fetchone()
    await database.close()


async def test_no_connection_free__is_unavailable_in_time(settings: Settings) -> None:
    database = Database(settings.model_copy(update={"database_pool_size": 1, "database_timeout_seconds": 0.2}))
    async with database.as_service():
        with pytest.raises(DatabaseUnavailable):
            await database.ping()
    await database.ping()
    await database.close()


async def test_opened_by_many_at_once__is_one_pool(database: Database) -> None:
    pools = await asyncio.gather(*(database.pool() for _ in range(20)))
    assert len(set(map(id, pools))) == 1


async def test_clock__is_never_behind_the_database_where_answers_are_read_late(settings: Settings) -> None:
    """A message said right after the person allowed it would count as said before."""
    clock = Clock()
    database = Database(settings, clock)

    async def keep_busy() -> None:
        while True:
            time.sleep(0.05)  # noqa: ASYNC251 (nothing else runs meanwhile, so an answer waits to be read)
            await asyncio.sleep(0)

    busy = asyncio.create_task(keep_busy())
    try:
        async with database.as_service() as conn:
            busy.cancel()
            told = await (await conn.execute("select clock_timestamp() as now")).fetchone()
            assert told
            assert clock.now() >= told["now"]
    finally:
        busy.cancel()
        await database.close()
