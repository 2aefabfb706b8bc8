"""A connection that goes silent is noticed, closed and replaced: by requests, by the worker, and by a stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from keepsake.errors import DatabaseUnavailable
from keepsake.infra import job_queue
from keepsake.infra.database import Database, Job, Profile, connection_pool
from keepsake.infra.job_queue import JobQueue
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone
from tests.fixtures.freezer import Freezer, freezer

SHORT = {"statement_timeout_seconds": 0.5, "database_pool_size": 3, "database_timeout_seconds": 2.0}


@pytest.fixture
async def proxy(db: Clone, settings: Settings) -> AsyncIterator[tuple[Freezer, Database]]:
    """A database behind a proxy whose connections can go silent."""
    async with freezer(db, settings, **SHORT) as (freeze, through):
        database = Database(through)
        yield freeze, database
        await database.close()


async def ask_all(database: Database) -> list[BaseException | None]:
    """Ask on all connections of the pool at once."""

    async def ask() -> None:
        async with database.as_service() as conn:
            await (await conn.execute("select pg_sleep(0.05)")).fetchone()

    return await asyncio.gather(*(ask() for _ in range(3)), return_exceptions=True)


async def test_silent__requests_fail_once_and_then_all_work(proxy: tuple[Freezer, Database]) -> None:
    """No request hangs, and after the first failure no connection of that time is used again."""
    freeze, database = proxy
    assert await ask_all(database) == [None, None, None]
    freeze.freeze()
    with pytest.raises(DatabaseUnavailable):
        async with asyncio.timeout(30):
            await database.ping()
    async with asyncio.timeout(5):
        assert await ask_all(database) == [None, None, None]
    assert freeze.accepted >= 6


async def test_silent__what_was_idle_is_asked_before_it_is_used(
    proxy: tuple[Freezer, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that finds connections which were idle for a while and went silent gets new ones, and does not fail."""
    freeze, database = proxy
    assert await ask_all(database) == [None, None, None]
    freeze.freeze()
    monkeypatch.setattr(connection_pool, "_IDLE_SECONDS", 0.0)
    for profile in Profile.HOT, Profile.LOCKING, Profile.PIPELINED:
        async with asyncio.timeout(5), database.as_service(profile) as conn:
            await conn.execute("select 1")
    assert freeze.accepted >= 4


async def test_silent__the_worker_goes_on(proxy: tuple[Freezer, Database], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose connections have all gone silent does the next job, and ends when it is told to."""
    freeze, database = proxy
    done = asyncio.Event()

    async def work() -> None:
        done.set()

    monkeypatch.setattr(job_queue, "_handlers", {"work": work})
    queue = JobQueue(database)
    worker = asyncio.create_task(queue.run_worker())
    await enqueue(database)
    await asyncio.wait_for(done.wait(), 20)
    done.clear()
    freeze.freeze()
    with contextlib.suppress(DatabaseUnavailable):
        await enqueue(database)
    await enqueue(database)
    await asyncio.wait_for(done.wait(), 40)
    assert not queue.is_stalled
    worker.cancel()
    done_tasks, _ = await asyncio.wait({worker}, timeout=25)
    assert worker in done_tasks
    assert worker.cancelled()


async def enqueue(database: Database) -> None:
    """Queue one job."""
    async with database.as_service() as conn:
        conn.enqueue_on_commit(Job("work"))


@pytest.mark.parametrize("trouble", ["gone", "silent"])
@pytest.mark.parametrize("is_busy", [False, True])
async def test_stopped__while_the_database_is_away(
    proxy: tuple[Freezer, Database], monkeypatch: pytest.MonkeyPatch, trouble: str, *, is_busy: bool
) -> None:
    """The worker ends within its grace period, whatever its shutdown meets."""
    freeze, database = proxy
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.sleep(3600)

    monkeypatch.setattr(job_queue, "_handlers", {"work": work})
    monkeypatch.setattr(job_queue, "_GRACE_SECONDS", 1.0)
    worker = asyncio.create_task(JobQueue(database).run_worker())
    if is_busy:
        await enqueue(database)
        await asyncio.wait_for(begun.wait(), 20)
    else:
        await wait_for_worker(database)
    if trouble == "gone":
        freeze.close()
    else:
        freeze.freeze()
    worker.cancel()
    done, _ = await asyncio.wait({worker}, timeout=25)
    assert worker in done
    assert worker.cancelled()


async def test_the_end_of_a_job__is_written_when_the_database_is_back(
    db: Clone, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job does not stay running because its end could not be written the first time."""

    async def work() -> None:  # the first attempt to write the end meets a server that refuses everybody
        db.run(
            "create function keepsake.refuse_once() returns trigger language plpgsql as $$ begin"
            " if nextval('keepsake.refusals') < 3 then raise sqlstate '57P01'; end if; return old; end $$;"
            "create sequence keepsake.refusals; grant usage on sequence keepsake.refusals to keepsake_api;"
            "create trigger refuse before delete on keepsake.procrastinate_jobs"
            " for each row execute function keepsake.refuse_once()"
        )

    monkeypatch.setattr(job_queue, "_handlers", {"work": work})
    await enqueue(database)
    worker = asyncio.create_task(JobQueue(database).run_worker())
    for _ in range(400):
        if db.value("select count(*) from keepsake.procrastinate_jobs") == 0:
            break
        await asyncio.sleep(0.05)
    assert db.value("select count(*) from keepsake.procrastinate_jobs") == 0
    assert not worker.done()
    worker.cancel()
    await asyncio.wait({worker}, timeout=25)


async def wait_for_worker(database: Database) -> None:
    """Wait until a worker is registered."""
    pool = await database.pool()
    for _ in range(400):
        async with pool.connection() as conn:
            row = await (await conn.execute("select count(*) as n from keepsake.procrastinate_workers")).fetchone()
        if row and row["n"]:
            return
        await asyncio.sleep(0.05)
    pytest.fail("no worker came")


async def test_a_worker_that_hangs__is_started_again_and_shows_meanwhile(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where even the deadlines fail, silence is noticed: liveness shows it, and the worker begins anew."""
    monkeypatch.setattr(job_queue, "_MAX_SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(job_queue, "_WATCH_SECONDS", 0.1)
    queue, begun = JobQueue(database), 0

    async def hang(**_: object) -> None:
        nonlocal begun
        begun += 1
        if begun == 1:
            assert not queue.is_stalled
            await asyncio.sleep(0.7)
            assert queue.is_stalled
        await asyncio.sleep(3600)

    monkeypatch.setattr(queue._app, "run_worker_async", hang)
    worker = asyncio.create_task(queue.run_worker())
    for _ in range(200):
        if begun >= 2:
            break
        await asyncio.sleep(0.05)
    assert begun >= 2
    worker.cancel()
    await asyncio.wait({worker}, timeout=25)
    assert worker.cancelled()
