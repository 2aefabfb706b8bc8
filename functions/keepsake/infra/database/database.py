"""The way to Postgres: a lazy pool, and transactions that are a person's or the service's, never the login's own.

Every transaction names its role and claims for itself (``set_config(…, true)``), so a pooled connection carries
nothing over, and the login role ``keepsake_api`` can do nothing before it became somebody.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row

from keepsake.errors import DatabaseUnavailable
from keepsake.identity import Person
from keepsake.infra.clock import Clock
from keepsake.infra.database.connection_pool import ConnectionPool
from keepsake.infra.database.errors import (
    READ_ONLY,
    READ_ONLY_RETRY_SECONDS,
    RETRY_AFTER_SECONDS,
    database_errors,
)
from keepsake.infra.database.transaction_profiles import Profile
from keepsake.infra.database.transactions import PREPARE_ON_REQUEST, Connection, transaction
from keepsake.infra.settings import Settings

_SERVICE_CLAIMS = json.dumps({"role": "service_role"})
_MAX_RESERVED = 2
"""Connections of a pool of eight or more that are kept for noting messages."""
_IS_READ_ONLY = "select current_setting('transaction_read_only') = 'on' as is_read_only"
_ANSWER_SECONDS = 5.0
"""How long a statement may take at most where a person waits for the answer; it takes milliseconds."""
_QUICK_SECONDS = 0.01
"""How quick an answer must be for the clock to be set by it without asking again …"""
_MAX_ATTEMPTS = 5
"""… so many times at most: on a busy machine the quickest answer counts."""
_MARGIN_SECONDS = 1.0
"""How much longer than the server itself we wait for a statement before the connection counts as silent."""


class Database:
    """The pool of one process; opened by the first request that needs it."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        self._clock = clock or Clock()
        self.is_direct = True
        """Whether the newest connection reaches the server itself; false behind a pooler, which keeps no session."""
        self._statement_seconds = settings.statement_timeout_seconds
        self._pool = ConnectionPool(
            settings.database_url.get_secret_value(),
            connection_class=Connection,
            kwargs={"prepare_threshold": None, "row_factory": dict_row, **self._network_options(settings)},
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
        self._short_patience = min(settings.database_timeout_seconds, settings.inject_patience_seconds)
        self._shared = asyncio.Semaphore(
            settings.database_pool_size - min(_MAX_RESERVED, settings.database_pool_size // 4)
        )
        self._readers = asyncio.Semaphore(max(1, settings.database_pool_size // 3))
        self._readers_of: WeakValueDictionary[UUID, asyncio.Semaphore] = WeakValueDictionary()

    def as_service(self, profile: Profile = Profile.PIPELINED) -> AbstractAsyncContextManager[Connection]:
        """A transaction of the service itself; what it writes is scoped by the ids it names."""
        return self._transaction("service_role", _SERVICE_CLAIMS, profile)

    def as_user(self, person: Person, profile: Profile = Profile.PIPELINED) -> AbstractAsyncContextManager[Connection]:
        """A transaction of a person: row-level security sees their claims."""
        claims = json.dumps({**person.claims, "sub": str(person.user_id), "role": "authenticated"})
        return self._transaction("authenticated", claims, profile)

    @asynccontextmanager
    async def as_reader(self, person: Person) -> AsyncIterator[Connection]:
        """A person's transaction for reading much, which may last as long as they take to read.

        So that others keep their connections, only some people do at once, and each of them once.
        """
        own = self._readers_of.setdefault(person.user_id, asyncio.Semaphore(1))
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(self._patience):
                    for semaphore in (own, self._readers):
                        await held.enter_async_context(semaphore)
            except TimeoutError as error:
                raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error
            yield await held.enter_async_context(self.as_user(person, Profile.SNAPSHOT))

    async def pool(self) -> ConnectionPool:
        """The open pool, for the job queue."""
        if self._pool.closed:
            async with self._opening:
                if self._pool.closed:
                    await self._pool.open(wait=False)
        return self._pool

    async def ping(self) -> None:
        """Ask whether the database answers and accepts writes, or raise DatabaseUnavailable."""
        async with self.as_service() as conn:
            row = await (await conn.execute(_IS_READ_ONLY)).fetchone()
        if row and row["is_read_only"]:
            raise DatabaseUnavailable(READ_ONLY, retry_after=READ_ONLY_RETRY_SECONDS)

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    @asynccontextmanager
    async def _transaction(self, role: str, claims: str, profile: Profile) -> AsyncIterator[Connection]:
        mode = profile.value
        patience = self._short_patience if mode.answers_at_once else self._patience
        seconds = min(self._statement_seconds, _ANSWER_SECONDS) if mode.answers_at_once else self._statement_seconds
        settings = {
            "role": role,
            "claims": claims,
            "statement_timeout": _milliseconds(seconds),
            "lock_timeout": _milliseconds(self._short_patience) if mode.answers_at_once else "0",
        }
        with database_errors():
            pool = await self.pool()
            async with (
                self._share(patience, is_reserved=mode.receives),
                pool.connection_in_any_state(patience, seconds + _MARGIN_SECONDS) as conn,
                transaction(conn, settings, profile, pipeline=self._pipeline),
            ):
                yield conn

    @asynccontextmanager
    async def _share(self, patience: float, *, is_reserved: bool) -> AsyncIterator[None]:
        """Take one of the connections that all share; what only notes a message uses the others too."""
        if is_reserved:
            yield
            return
        if self._shared.locked():
            try:
                async with asyncio.timeout(patience):
                    await self._shared.acquire()
            except TimeoutError as error:
                raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error
        else:
            await self._shared.acquire()  # at once
        try:
            yield
        finally:
            self._shared.release()

    async def _configure(self, conn: Connection) -> None:
        """Ready a new connection for the pool.

        Autocommit is set here and not among the arguments: procrastinate repeats those, with autocommit of its own.
        Statements may be prepared only where no pooler hands the next transaction to another backend.
        """
        conn.max_wait, conn.on_silence = self._statement_seconds + _MARGIN_SECONDS, self._pool.distrust_idle
        await conn.set_autocommit(True)
        pid = await self._synchronize(conn)
        self.is_direct = _is_direct(conn, pid)
        if self.is_direct:  # what runs as the login itself, such as fetching a job, has limits too
            await conn.execute(
                "select set_config('statement_timeout', %s, false)", (_milliseconds(self._statement_seconds),)
            )
        if self._prepare and self.is_direct:
            conn.prepare_threshold = PREPARE_ON_REQUEST

    async def _synchronize(self, conn: Connection) -> int:
        """Synchronize the clock by the quickest of a few answers; the number of the process that gave them."""
        answers = []
        for _ in range(_MAX_ATTEMPTS):
            sent_at = time.monotonic()
            rows = await conn.execute("select pg_backend_pid() as pid, clock_timestamp() as now")
            answers += [(time.monotonic() - sent_at, sent_at, row["now"], row["pid"]) async for row in rows]
            if answers[-1][0] < _QUICK_SECONDS:
                break
        _, sent_at, server_time, pid = min(answers)
        self._clock.synchronize(server_time, sent_at=sent_at)
        return int(pid)

    @staticmethod
    def _network_options(settings: Settings) -> dict[str, Any]:
        """What notices a connection that went silent; what the URL says of it itself is kept."""
        chosen = conninfo_to_dict(settings.database_url.get_secret_value())
        milliseconds = int((settings.statement_timeout_seconds + _MARGIN_SECONDS) * 1000)
        options = {
            "connect_timeout": max(2, math.ceil(settings.database_timeout_seconds)),
            "keepalives": 1,
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            "tcp_user_timeout": milliseconds,
        }
        return {name: value for name, value in options.items() if name not in chosen}


def _milliseconds(seconds: float) -> str:
    """A duration as Postgres reads it."""
    return f"{int(seconds * 1000)}ms"


def _is_direct(conn: Connection, pid: int) -> bool:
    """Whether the process that answers is the one that was connected to; a pooler makes its clients' numbers up."""
    return pid == conn.info.backend_pid
