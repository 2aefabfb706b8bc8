"""The way to Postgres: a lazy pool, and transactions that are a person's or the service's, never the login's own.

Every transaction names its role and claims for itself (``set_config(…, true)``), so a pooled connection carries
nothing over, and the login role ``keepsake_api`` can do nothing before it became somebody.
"""

from __future__ import annotations

import asyncio
import json
import select
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from keepsake.errors import DatabaseUnavailable
from keepsake.identity import Person
from keepsake.infra.database.errors import RETRY_AFTER_SECONDS, database_errors
from keepsake.infra.database.profiles import Profile
from keepsake.infra.database.transactions import PREPARE_ON_REQUEST, Connection, Identity, transaction
from keepsake.infra.settings import Settings


class Database:
    """The pool of one process; opened by the first request that needs it."""

    def __init__(self, settings: Settings) -> None:
        self._timeout = f"{int(settings.statement_timeout_seconds * 1000)}ms"
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            settings.database_url.get_secret_value(),
            connection_class=Connection,
            kwargs={"prepare_threshold": None, "row_factory": dict_row},
            min_size=0,
            max_size=settings.database_pool_size,
            timeout=settings.database_timeout_seconds,
            reconnect_timeout=settings.database_timeout_seconds,  # else it waits ever longer, up to minutes
            configure=self._configure,
            open=False,
            name="keepsake",
        )
        self._pipeline = settings.database_pipeline
        self._prepare = settings.database_prepare
        self._opening = asyncio.Lock()
        self._patience = settings.database_timeout_seconds
        self._readers = asyncio.Semaphore(max(1, settings.database_pool_size // 3))

    def as_service(self, profile: Profile = Profile.PIPELINED) -> AbstractAsyncContextManager[Connection]:
        """A transaction of the service itself; what it writes is scoped by the ids it names."""
        claims = json.dumps({"role": "service_role"})
        return self._transaction(Identity("service_role", claims, self._timeout), profile)

    def as_user(self, person: Person, profile: Profile = Profile.PIPELINED) -> AbstractAsyncContextManager[Connection]:
        """A transaction of a person: row-level security sees their claims."""
        claims = json.dumps({**person.claims, "sub": str(person.user_id), "role": "authenticated"})
        return self._transaction(Identity("authenticated", claims, self._timeout), profile)

    @asynccontextmanager
    async def as_reader(self, person: Person) -> AsyncIterator[Connection]:
        """A person's transaction for reading much, which may last as long as they take to read.

        So that others keep their connections, only some do at once.
        """
        try:
            await asyncio.wait_for(self._readers.acquire(), self._patience)
        except TimeoutError as error:
            raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error
        try:
            async with self.as_user(person, Profile.SNAPSHOT) as conn:
                yield conn
        finally:
            self._readers.release()

    async def pool(self) -> AsyncConnectionPool[Connection]:
        """The open pool, for the job queue."""
        if self._pool.closed:
            async with self._opening:
                if self._pool.closed:
                    await self._pool.open(wait=False)
        return self._pool

    async def ping(self) -> None:
        """Ask the database for a sign of life, or raise DatabaseUnavailable."""
        async with self.as_service() as conn:
            await conn.execute("select 1")

    async def close(self) -> None:
        """Give every connection back."""
        await self._pool.close()

    @asynccontextmanager
    async def _transaction(self, identity: Identity, profile: Profile) -> AsyncIterator[Connection]:
        with database_errors():
            pool = await self.pool()
            async with _lent(pool) as conn, transaction(conn, identity, profile, pipeline=self._pipeline):
                yield conn

    async def _configure(self, conn: Connection) -> None:
        """Ready a new connection for the pool.

        Autocommit is set here and not among the arguments: procrastinate repeats those, with autocommit of its own.
        Statements may be prepared only where no pooler hands the next transaction to another backend.
        """
        await conn.set_autocommit(True)
        if self._prepare and await _is_direct(conn):
            conn.prepare_threshold = PREPARE_ON_REQUEST


async def _is_direct(conn: Connection) -> bool:
    """Whether the process that answers is the one that was connected to; a pooler makes its clients' numbers up."""
    row = await (await conn.execute("select pg_backend_pid() as pid")).fetchone()
    return row is not None and bool(row["pid"] == conn.info.backend_pid)


@asynccontextmanager
async def _lent(pool: AsyncConnectionPool[Connection]) -> AsyncIterator[Connection]:
    """A connection from the pool; those that the server closed while they lay idle are replaced on the way."""
    conn = await pool.getconn()
    while _was_closed(conn):
        await conn.close()
        await pool.putconn(conn)
        conn = await pool.getconn()
    try:
        yield conn
    finally:
        await pool.putconn(conn)


def _was_closed(conn: Connection) -> bool:
    """Whether an idle connection has something to read, which is its end; asked without a round trip."""
    try:
        readable, _, _ = select.select([conn.pgconn.socket], [], [], 0)
    except (OSError, ValueError, psycopg.Error):  # no socket any more, or one beyond what select can watch
        return conn.closed
    return bool(readable)
