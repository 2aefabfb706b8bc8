"""Plans are kept on connections that reach Postgres itself, and never where a pooler may change the backend."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import LiteralString

import psycopg
import pytest

from keepsake.infra.database import Database, Profile
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone

PREPARED = "select count(*) as n from pg_prepared_statements"


async def prepared(database: Database) -> int:
    """How many statements are prepared on the connection, once one was asked to be twice."""
    for _ in range(2):
        async with database.as_service(Profile.HOT) as conn:
            await (await conn.execute("select 1 as one", prepare=True)).fetchone()
    async with database.as_service() as conn:
        row = await (await conn.execute(PREPARED)).fetchone()
    await database.close()
    assert row is not None
    return int(row["n"])


@asynccontextmanager
async def pooler(db: Clone) -> AsyncIterator[int]:
    """What every pooler does at least: answer with a process number of its own making."""

    async def pass_on(read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        while data := await read.read(65536):
            write.write(data)
        write.close()
        with suppress(ConnectionError):
            await write.wait_closed()

    served: list[asyncio.Task[None]] = []

    async def serve(client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        served.append(asyncio.ensure_future(forward(client, answer)))

    async def forward(client: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        server, ask = await asyncio.open_unix_connection(f"{db.cluster.socket_folder}/.s.PGSQL.5432")
        (size,) = struct.unpack("!I", await client.readexactly(4))
        ask.write(struct.pack("!I", size) + await client.readexactly(size - 4))
        kind = b""
        while kind != b"Z":
            kind, size = await server.readexactly(1), struct.unpack("!I", await server.readexactly(4))[0]
            body = await server.readexactly(size - 4)
            if kind == b"K":
                body = struct.pack("!I", 1) + body[4:]
            answer.write(kind + struct.pack("!I", size) + body)
        await asyncio.gather(pass_on(client, ask), pass_on(server, answer))

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        await asyncio.gather(*served)


async def test_plans__are_kept_where_postgres_itself_answers(db: Clone, settings: Settings) -> None:
    direct = settings.model_copy(update={"database_url": type(settings.database_url)(db.direct_api_url)})
    assert await prepared(Database(direct)) >= 2


async def test_plans__are_not_kept_behind_a_pooler(db: Clone, settings: Settings) -> None:
    async with pooler(db) as port:
        url = f"postgresql://keepsake_api@127.0.0.1:{port}/{db.name}?sslmode=disable&gssencmode=disable"
        assert (
            await prepared(Database(settings.model_copy(update={"database_url": type(settings.database_url)(url)})))
            == 0
        )


async def test_plans__are_not_kept_where_the_operator_says_so(settings: Settings) -> None:
    assert await prepared(Database(settings.model_copy(update={"database_prepare": False}))) == 0


@pytest.mark.parametrize("profile", list(Profile))
async def test_planner_settings__end_with_their_transaction(settings: Settings, profile: Profile) -> None:
    database = Database(settings.model_copy(update={"database_pool_size": 1}))
    async with database.as_service(profile) as conn:
        row = await (await conn.execute("select current_setting('plan_cache_mode') as mode")).fetchone()
        assert row == {"mode": "force_generic_plan" if profile.value.prepared else "auto"}
    async with database.as_service() as conn:
        row = await (await conn.execute("select current_setting('plan_cache_mode') as mode")).fetchone()
        assert row == {"mode": "auto"}
    await database.close()


async def fail(database: Database, name: str, statement: LiteralString | None) -> None:
    """Write a name in a whole transaction, and fail, unasked or outright."""
    async with database.as_service(Profile.HOT) as conn:
        await conn.execute(_NAMES, (name,))
        if statement is None:
            raise LookupError
        await conn.execute(statement)


_NAMES = "insert into keepsake.webhook_deliveries (webhook_id, status, outcome) values (%s, 200, '{}')"


async def test_whole_transactions__that_fail_unasked_say_so_and_leave_nothing(settings: Settings) -> None:
    """A statement whose result nobody waited for fails at the end of the batch, with all that stands beside it."""
    database = Database(settings.model_copy(update={"database_pool_size": 1}))
    for _ in range(2):
        with pytest.raises(psycopg.errors.DivisionByZero):
            await fail(database, "first", "select 1 / 0")
        with pytest.raises(LookupError):
            await fail(database, "second", None)
    async with database.as_service(Profile.HOT) as conn:
        await conn.execute(_NAMES, ("third",))
        await (await conn.execute("select 1")).fetchone()
        await conn.execute(_NAMES, ("fourth",))
    async with database.as_service() as conn:
        kept = await (await conn.execute("select webhook_id from keepsake.webhook_deliveries order by 1")).fetchall()
    await database.close()
    assert [row["webhook_id"] for row in kept] == ["fourth", "third"]
