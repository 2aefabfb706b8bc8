"""The way to Postgres: a lazy pool, and transactions that are a person's or the service's, never the login's own.

Every transaction names its role and claims for itself (``set_config(…, true)``), so a pooled connection carries
nothing over, and the login role ``keepsake_api`` can do nothing before it became somebody.
"""

from __future__ import annotations

import asyncio
import json
import select
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from keepsake.errors import DatabaseUnavailable, NotFound
from keepsake.identity import Person
from keepsake.infra.logs import log
from keepsake.infra.settings import Settings

Connection = psycopg.AsyncConnection[DictRow]
"""A connection inside a transaction; rows come as dicts."""

RETRY_AFTER_SECONDS = 5
"""What callers are told to wait when the database does not answer."""

_BEGIN = """
select set_config('role', %(role)s, true),
       set_config('request.jwt.claims', %(claims)s, true),
       set_config('statement_timeout', %(timeout)s, true),
       set_config('idle_in_transaction_session_timeout', %(timeout)s, true)
"""
# For statements whose plan is always the same, by index: it is kept, and made so that it serves a table of any size.
# What they read is a person's own and little; to call workers together would take longer than all of it.
_BEGIN_ROUTINE = f"""{_BEGIN.rstrip()},
       set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('enable_seqscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true)
"""
_NEVER_UNASKED = sys.maxsize


class Database:
    """The pool of one process; opened by the first request that needs it."""

    def __init__(self, settings: Settings) -> None:
        self._timeout = f"{int(settings.statement_timeout_seconds * 1000)}ms"
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            settings.database_url.get_secret_value(),
            connection_class=psycopg.AsyncConnection[DictRow],
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

    def as_service(
        self, *, batched: bool = True, routine: bool = False, whole: bool = False
    ) -> AbstractAsyncContextManager[Connection]:
        """A transaction of the service itself; what it writes is scoped by the ids it names.

        One that holds locks is not batched: within a batch the server cannot tell a frozen process from a slow one,
        and would keep its locks for it without end. ``routine`` is for what every message asks, always in the same
        way: plans are made once, and kept. A ``whole`` one has no savepoints inside, and so begins and ends in the
        same batches as what stands beside.
        """
        claims = {"role": "service_role"}
        return self._transaction("service_role", claims, batched=batched, routine=routine, whole=whole)

    def as_user(
        self, person: Person, *, batched: bool = True, routine: bool = False, whole: bool = False
    ) -> AbstractAsyncContextManager[Connection]:
        """A transaction of a person: row-level security sees their claims."""
        claims = {**person.claims, "sub": str(person.user_id), "role": "authenticated"}
        return self._transaction("authenticated", claims, batched=batched, routine=routine, whole=whole)

    @asynccontextmanager
    async def as_reader(self, person: Person) -> AsyncIterator[Connection]:
        """A person's transaction for reading much: it sees one moment throughout, and rows can be fetched bit by bit.

        It may last as long as the person takes to read; so that others keep their connections, only some do at once.
        """
        try:
            await asyncio.wait_for(self._readers.acquire(), self._patience)
        except TimeoutError as error:
            raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error
        claims = {**person.claims, "sub": str(person.user_id), "role": "authenticated"}
        try:
            async with self._transaction("authenticated", claims, batched=False, one_moment=True) as conn:
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
    async def _transaction(
        self,
        role: str,
        claims: Mapping[str, Any],
        *,
        batched: bool = True,
        routine: bool = False,
        whole: bool = False,
        one_moment: bool = False,
    ) -> AsyncIterator[Connection]:
        begin = _BEGIN_ROUTINE if routine else _BEGIN
        settings = {"role": role, "claims": json.dumps(claims), "timeout": self._timeout}
        with _unavailable_when_away():
            pool = await self.pool()
            async with (
                _lent(pool) as conn,
                _of_one_moment(conn, wanted=one_moment),
                self._begun(conn, batched=batched, whole=whole),
            ):
                with _plans_kept(conn, wanted=routine):
                    await conn.execute(begin, settings, prepare=True)
                    yield conn

    async def _configure(self, conn: Connection) -> None:
        """Ready a new connection for the pool.

        Autocommit is set here and not among the arguments: procrastinate repeats those, with autocommit of its own.
        Statements may be prepared only where no pooler hands the next transaction to another backend.
        """
        await conn.set_autocommit(True)
        if self._prepare and await _is_direct(conn):
            conn.prepare_threshold = _NEVER_UNASKED

    def _begun(self, conn: Connection, *, batched: bool, whole: bool) -> AbstractAsyncContextManager[None]:
        """A transaction; in a batch, statements whose results nobody waits for travel together: fewer round trips."""
        if not (batched and self._pipeline):
            return _one_by_one(conn)
        return _in_one_batch(conn) if whole else _batched(conn)


@asynccontextmanager
async def _one_by_one(conn: Connection) -> AsyncIterator[None]:
    async with conn.transaction():
        yield


@asynccontextmanager
async def _batched(conn: Connection) -> AsyncIterator[None]:
    async with conn.pipeline(), conn.transaction():
        yield


@asynccontextmanager
async def _in_one_batch(conn: Connection) -> AsyncIterator[None]:
    """The same without psycopg's own stops before and after: begin and commit travel with the statements beside them.

    Where a statement fails, the server passes over what follows up to the end of the batch, the commit included.
    Without the stops psycopg cannot tell that a transaction is under way, so a savepoint inside would be none.
    """
    try:
        async with conn.pipeline():
            await conn.execute("begin", prepare=True)
            yield
            await conn.execute("commit", prepare=True)
    except BaseException:
        with suppress(psycopg.Error):
            await conn.rollback()
        raise


async def become_service(conn: Connection) -> None:
    """Go on as the service in a person's transaction, once what only they may see has been checked."""
    await conn.execute("select set_config('role', 'service_role', true)")


@contextmanager
def _plans_kept(conn: Connection, *, wanted: bool) -> Iterator[None]:
    """Prepare every statement of the block, where the connection allows it."""
    if not wanted or conn.prepare_threshold is None:
        yield
        return
    conn.prepare_threshold = 0
    try:
        yield
    finally:
        conn.prepare_threshold = _NEVER_UNASKED


@asynccontextmanager
async def _of_one_moment(conn: Connection, *, wanted: bool) -> AsyncIterator[None]:
    """Let the transaction of the block see only what was committed before it began."""
    if not wanted:
        yield
        return
    await conn.set_isolation_level(psycopg.IsolationLevel.REPEATABLE_READ)
    try:
        yield
    finally:
        if not conn.closed:
            await conn.set_isolation_level(None)


async def _is_direct(conn: Connection) -> bool:
    """Whether the process that answers is the one that was connected to; a pooler makes its clients' numbers up."""
    row = await (await conn.execute("select pg_backend_pid() as pid")).fetchone()
    return row is not None and bool(row["pid"] == conn.info.backend_pid)


@contextmanager
def hidden_when_denied() -> Iterator[None]:
    """Where the host lets people read nothing of a table, its rows are to them as those their policies hide."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        log.warning(
            "people may not select from a table of the host, so they cannot be shown to take part", exc_info=error
        )
        raise NotFound from error


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


@contextmanager
def _unavailable_when_away() -> Iterator[None]:
    """Turn the driver's words for "not now" into ours; what the SQL itself got wrong stays an error."""
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.IdleInTransactionSessionTimeout) as error:
        raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error
