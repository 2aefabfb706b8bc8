"""A connection inside a transaction, and how a transaction of each profile begins and ends."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import DictRow
from psycopg.waiting import Wait

from keepsake.infra.database.deferred_pipeline import DeferredPipeline, SynchronizedPipeline
from keepsake.infra.database.insert_jobs import Job, insert_jobs
from keepsake.infra.database.transaction_profiles import Mode, Profile

PREPARE_ON_REQUEST = sys.maxsize
"""The ``prepare_threshold`` of a connection that may prepare statements, but does so only where it is told to."""

_BEGIN = """
select set_config('role', %(role)s, true),
       set_config('request.jwt.claims', %(claims)s, true),
       set_config('statement_timeout', %(statement_timeout)s, true),
       set_config('idle_in_transaction_session_timeout', %(statement_timeout)s, true),
       set_config('lock_timeout', %(lock_timeout)s, true)
"""
# For statements whose plan is always the same, by index: it is kept, and made so that it serves a table of any size.
# What they read is a person's own and little; to call workers together or to compile would take longer than all of it.
_BEGIN_PREPARED = f"""{_BEGIN.rstrip()},
       set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('enable_seqscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true),
       set_config('jit', 'off', true)
"""


_MAX_WAIT_SECONDS = 20.0
_MAX_QUIET_SECONDS = 30.0


class Connection(psycopg.AsyncConnection[DictRow]):
    """A connection inside a transaction; rows come as dicts.

    No wait for the server is without end: a connection that went silent (a lost network, a failover, a frozen pooler)
    is closed. The limits of the server cannot do that, because the server's answer never arrives.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._jobs: list[Job] = []
        self.max_wait = _MAX_WAIT_SECONDS
        self.last_answer = time.monotonic()
        """When the server answered last, by the monotonic clock."""
        self.on_silence: Callable[[], None] = lambda: None

    async def wait(self, gen: PQGen[Any], *args: Any, **kwargs: Any) -> Any:
        """Wait for the server, at most ``max_wait`` seconds; then close the connection and raise OperationalError."""
        if kwargs.get("timeout") is not None:
            return await super().wait(gen, *args, **kwargs)
        if isinstance(self._pipeline, DeferredPipeline):  # where most statements are only put into the batch
            try:
                gen = _resume(gen, next(gen))
            except StopIteration as end:
                return end.value
        try:
            answer = await super().wait(gen, *args, **{**kwargs, "timeout": self.max_wait})
        except psycopg.errors._WaitTimeout:  # noqa: SLF001 (what psycopg documents for it)
            await self.close()
            self.on_silence()
            raise psycopg.OperationalError("the server did not answer in time") from None
        self.last_answer = time.monotonic()
        return answer

    async def answers(self, seconds: float) -> bool:
        """Whether the server answers within some seconds; if not, the connection is closed."""
        usual, self.max_wait = self.max_wait, seconds
        try:
            await self.execute("")
        except psycopg.OperationalError:
            return False
        finally:
            self.max_wait = usual
        return True

    async def notifies(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 (psycopg's own)
        stop_after: int | None = None,
    ) -> AsyncGenerator[psycopg.Notify]:
        """Yield notifications; end after a while without any, so that the caller can check the connection."""
        limit = _MAX_QUIET_SECONDS if timeout is None else timeout
        async for notification in super().notifies(timeout=limit, stop_after=stop_after):
            yield notification

    @asynccontextmanager
    async def deferred_pipeline(self, kind: type[DeferredPipeline]) -> AsyncIterator[DeferredPipeline]:
        """Send the statements of the block only when an answer is awaited, all of them at once."""
        self._pipeline = batch = kind(self)
        async with self.pipeline():
            yield batch

    def enqueue_on_commit(self, job: Job) -> None:
        """Queue a job with what the transaction writes: it is inserted last, and rolled back with the rest."""
        self._jobs.append(job)

    def take_jobs(self) -> list[Job]:
        """The jobs collected so far, which are collected no more."""
        jobs, self._jobs = self._jobs, []
        return jobs


def _resume(gen: PQGen[Any], wanted: Wait) -> PQGen[Any]:
    """What a generator still does after it said what it waits for."""
    while True:
        ready = yield wanted
        try:
            wanted = gen.send(ready)
        except StopIteration as end:
            return end.value


@asynccontextmanager
async def transaction(
    conn: Connection, settings: Mapping[str, str], profile: Profile, *, pipeline: bool
) -> AsyncIterator[None]:
    """A transaction on an idle connection; the jobs it collected are inserted as its last step.

    The ``settings`` are its role, the claims that row-level security sees, and how long it may wait.
    """
    mode = profile.value
    conn.take_jobs()
    async with _snapshot(conn, wanted=mode.snapshot), _begun(conn, mode, pipeline=pipeline):
        with _prepared(conn, wanted=mode.prepared):
            await conn.execute(_BEGIN_PREPARED if mode.prepared else _BEGIN, settings, prepare=True)
            yield
            if jobs := conn.take_jobs():
                await insert_jobs(conn, jobs)


async def become_service(conn: Connection) -> None:
    """Continue a person's transaction as the service, after what only they may see was checked."""
    await conn.execute("select set_config('role', 'service_role', true)")


def _begun(conn: Connection, mode: Mode, *, pipeline: bool) -> AbstractAsyncContextManager[None]:
    if not (mode.pipelined and pipeline):
        return _one_by_one(conn)
    if mode.locks:
        return _in_batches(conn, SynchronizedPipeline)
    return _pipelined(conn) if mode.savepoints else _in_batches(conn, DeferredPipeline)


@asynccontextmanager
async def _one_by_one(conn: Connection) -> AsyncIterator[None]:
    async with conn.transaction():
        yield


@asynccontextmanager
async def _pipelined(conn: Connection) -> AsyncIterator[None]:
    async with conn.pipeline(), conn.transaction():
        yield


@asynccontextmanager
async def _in_batches(conn: Connection, kind: type[DeferredPipeline]) -> AsyncIterator[None]:
    """A transaction whose begin and commit are sent together with the statements beside them.

    Where a statement fails, the server passes over what follows up to the end of the batch, the commit included.
    """
    try:
        async with conn.deferred_pipeline(kind) as batch:
            batch.add(b"begin")
            yield
            batch.add(b"commit")
    except BaseException:
        with suppress(psycopg.Error):
            await conn.rollback()
        raise


@contextmanager
def _prepared(conn: Connection, *, wanted: bool) -> Iterator[None]:
    """Prepare every statement of the block, where the connection allows it."""
    if not wanted or conn.prepare_threshold is None:
        yield
        return
    conn.prepare_threshold = 0
    try:
        yield
    finally:
        conn.prepare_threshold = PREPARE_ON_REQUEST


@asynccontextmanager
async def _snapshot(conn: Connection, *, wanted: bool) -> AsyncIterator[None]:
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
