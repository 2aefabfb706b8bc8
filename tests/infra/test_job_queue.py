"""Jobs go with the transaction that queues them, leave nothing behind when they fail, and outlast their worker."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from uuid import UUID, uuid4

import pytest
from pydantic import SecretStr

from keepsake.errors import DatabaseUnavailable
from keepsake.infra import job_queue, queue_connector
from keepsake.infra.database import Job, Profile
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone
from tests.fixtures.resources import worker
from tests.fixtures.until import until

JOBS = "select count(*) from keepsake.procrastinate_jobs"
FETCHES = (
    "select query_start as at from pg_stat_activity"
    " where datname = current_database() and wait_event_type = 'Lock' and query ~ 'procrastinate_fetch_job'"
)


class Work:
    """A kind of job that remembers what it did."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def __call__(self, thing: str) -> None:
        """Do the job; the thing `bad` cannot be done."""
        await self.go_on.wait()
        if thing == "bad":
            raise RuntimeError(thing)
        self.done.append(thing)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """The only kind of job there is while the test runs."""
    work = Work()

    async def handler(thing: str) -> None:
        await work(thing)

    monkeypatch.setattr(job_queue, "_handlers", {"work": handler})
    return work


async def queue(resources: Resources, *things: str | UUID) -> None:
    """Queue some work in one transaction."""
    async with resources.database.as_service() as conn:
        for thing in things:
            conn.enqueue_on_commit(Job("work", {"thing": thing}))


async def test_queued__runs_and_leaves_nothing(resources: Resources, db: Clone, work: Work) -> None:
    await queue(resources, "a", "b")
    await resources.queue.run_until_idle(10)
    assert sorted(work.done) == ["a", "b"]
    assert db.value(JOBS) == 0
    assert db.value("select count(*) from keepsake.procrastinate_workers") == 0


async def queue_and_fail(resources: Resources) -> None:
    """Queue some work in a transaction that then fails."""
    async with resources.database.as_service() as conn:
        conn.enqueue_on_commit(Job("work", {"thing": "a"}))
        raise ZeroDivisionError


async def test_rolled_back__was_never_queued(resources: Resources, db: Clone) -> None:
    with pytest.raises(ZeroDivisionError):
        await queue_and_fail(resources)
    assert db.value(JOBS) == 0


@pytest.mark.parametrize("profile", list(Profile))
async def test_queued__goes_last_whatever_comes_after_and_however_the_transaction_runs(
    resources: Resources, db: Clone, profile: Profile
) -> None:
    """What follows in the transaction still has its role, and the next one on the connection queues nothing."""
    async with resources.database.as_service(profile) as conn:
        conn.enqueue_on_commit(Job("work", {"thing": "a"}))
        row = await (await conn.execute("select current_user as role")).fetchone()
        assert row == {"role": "service_role"}
    async with resources.database.as_service(profile) as conn:
        await conn.execute("select 1")
    assert db.value(JOBS) == 1


async def test_rolled_back__is_not_queued_by_the_next_transaction(resources: Resources, db: Clone) -> None:
    with pytest.raises(ZeroDivisionError):
        await queue_and_fail(resources)
    async with resources.database.as_service() as conn:
        await conn.execute("select 1")
    assert db.value(JOBS) == 0


async def test_failed__is_gone_and_stops_nobody(resources: Resources, db: Clone, work: Work) -> None:
    await queue(resources, "bad", "a")
    await resources.queue.run_until_idle(10)
    assert (work.done, db.value(JOBS)) == (["a"], 0)


async def test_no_more_time__what_runs_is_finished_and_the_rest_stays(
    resources: Resources, db: Clone, work: Work
) -> None:
    work.go_on.clear()
    await queue(resources, *(f"thing {number}" for number in range(9)))
    running = asyncio.create_task(resources.queue.run_until_idle(0.5))
    await until(lambda: db.value(f"{JOBS} where status = 'doing'") == resources.settings.worker_concurrency)
    await asyncio.sleep(0.6)
    work.go_on.set()
    await running
    assert len(work.done) == resources.settings.worker_concurrency
    assert db.value(f"{JOBS} where status = 'todo'") == 9 - resources.settings.worker_concurrency


async def test_a_worker__is_told_at_once(resources: Resources, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_queue, "_POLLING_SECONDS", 3600.0)
    async with worker(resources):
        await queue(resources, "a")
        await until(lambda: work.done == ["a"])
        await queue(resources, "b")
        await until(lambda: work.done == ["a", "b"])


async def test_a_worker__comes_back_with_its_database(resources: Resources, db: Clone, work: Work) -> None:
    async with worker(resources):
        await queue(resources, "before")
        await until(lambda: "before" in work.done)
        db.run(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where usename = 'keepsake_api' and datname = current_database()"
        )
        await queue(resources, "after")
        await until(lambda: "after" in work.done)


async def test_a_fetch_that_hangs__is_cut_off_and_the_worker_goes_on(settings: Settings, db: Clone, work: Work) -> None:
    """Behind a lock or a bad plan; and no job stays taken by a fetch that nobody waited for."""
    hasty = settings.model_copy(update={"statement_timeout_seconds": 0.3, "database_timeout_seconds": 60.0})
    resources = Resources.build(hasty)
    await queue(resources, "a")
    with db.as_superuser() as other:
        other.execute("lock table keepsake.procrastinate_jobs in exclusive mode")
        fetches: set[object] = set()

        def is_repeated() -> bool:
            fetches.update(row["at"] for row in db.all(FETCHES))
            return len(fetches) > 1

        async with worker(resources):
            await until(is_repeated)
            other.rollback()
            await until(lambda: db.value(JOBS) == 0)
    await resources.close()
    assert work.done == ["a"]


async def test_two_workers__do_each_job_once(resources: Resources, work: Work) -> None:
    things = [str(uuid4()) for _ in range(40)]
    async with worker(resources), worker(resources):
        await queue(resources, *things)
        await until(lambda: len(work.done) >= 40)
        await asyncio.sleep(0.2)
    assert sorted(work.done) == sorted(things)


async def test_jobs_that_begin_together__are_gathered_with_what_waits(resources: Resources, db: Clone) -> None:
    """None twice and none lost: the first has them all, in the order in which they came."""
    await queue(resources, "c", "d", "e")
    first, *others = await asyncio.gather(*(resources.queue.gather("work", {"thing": thing}, 4) for thing in "ab"))
    assert [job["thing"] for job in first] == ["a", "b", "c", "d", "e"]
    assert others == [[]]
    assert db.value(JOBS) == 0
    assert await resources.queue.gather("work", {"thing": "f"}, 4) == [{"thing": "f"}], "it gathers anew"


async def test_a_job_that_is_done_alone__leaves_the_queue_as_it_is(resources: Resources, db: Clone) -> None:
    await queue(resources, "b")
    assert await resources.queue.gather("work", {"thing": "a"}, 1) == [{"thing": "a"}]
    assert db.value(JOBS) == 1


async def test_notifications__that_come_together_are_passed_on_as_one(
    settings: Settings, db: Clone, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_connector, "LINGER_SECONDS", 0.5)
    direct = settings.model_copy(update={"database_url": SecretStr(db.direct_api_url)})  # a pooler passes none on
    resources = Resources.build(direct)
    await queue(resources, "first")
    await resources.queue.run_until_idle()  # the connector is open
    passed: list[str] = []

    async def note(*, channel: str, payload: str) -> None:
        passed.append(f"{channel} {payload}")

    listening = asyncio.create_task(resources.queue._connector.listen_notify(note, ["jobs"]))
    await until(lambda: db.value("select count(*) from pg_stat_activity where query like 'LISTEN%%jobs%%'") == 1)
    with db.as_superuser() as connection:
        for number in range(40):
            connection.execute("select pg_notify('jobs', %s)", [str(number)])
            connection.commit()
    await until(lambda: bool(passed))
    await asyncio.sleep(1)  # what else would come
    listening.cancel()
    await resources.close()
    assert passed[0] == "jobs 0"
    assert len(passed) < 20


async def test_a_dead_workers_job__is_closed_by_the_sweep(resources: Resources, db: Clone) -> None:
    await queue(resources, "a")
    db.run("insert into keepsake.procrastinate_workers (last_heartbeat) values (now() - interval '1 minute')")
    db.run(
        "update keepsake.procrastinate_jobs set status = 'doing',"
        " worker_id = (select id from keepsake.procrastinate_workers)"
    )
    swept = await asyncio.gather(*(resources.queue.sweep() for _ in range(5)))
    assert max(swept) == 1
    assert db.value(JOBS) == 0


def test_a_person__cannot_queue_anything(db: Clone) -> None:
    for statement in (
        "insert into keepsake.procrastinate_jobs (task_name) values ('extract_user_memory')",
        "select * from keepsake.procrastinate_jobs",
    ):
        with pytest.raises(Exception, match="permission denied"), db.as_person(uuid4()) as connection:
            connection.execute(statement.encode())


@pytest.fixture
def brief_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that run when the process is to stop get hardly any time."""
    monkeypatch.setattr(job_queue, "_GRACE_SECONDS", 0.1)


@pytest.mark.usefixtures("brief_grace")
async def test_a_process_that_ends__ends_the_jobs_of_a_run_too(resources: Resources, db: Clone, work: Work) -> None:
    """A run may give its jobs a minute; a process that is to stop does not wait for that."""
    work.go_on.clear()
    await queue(resources, "endless")
    running = asyncio.create_task(resources.queue.run_until_idle(60))
    await until(lambda: db.value(f"{JOBS} where status = 'doing'") == 1)
    await resources.queue.stop()
    await until(running.done)
    assert (work.done, db.value(JOBS)) == ([], 0)


@pytest.mark.usefixtures("brief_grace")
async def test_a_signal__ends_the_jobs_of_a_run_and_reaches_the_server(
    resources: Resources, db: Clone, work: Work
) -> None:
    """The server that handles SIGTERM waits for its requests: one that runs jobs ends with its jobs."""
    heard: list[int] = []
    previous = signal.signal(signal.SIGTERM, lambda number, _frame: heard.append(number))
    try:
        work.go_on.clear()
        await queue(resources, "endless")
        running = asyncio.create_task(resources.queue.run_until_idle(60))
        await until(lambda: db.value(f"{JOBS} where status = 'doing'") == 1)
        os.kill(os.getpid(), signal.SIGTERM)
        await until(running.done)
    finally:
        signal.signal(signal.SIGTERM, previous)
    assert (heard, work.done, db.value(JOBS)) == ([signal.SIGTERM], [], 0)


async def test_the_end_of_a_job__is_not_written_again_once_the_process_is_to_end(
    resources: Resources, db: Clone, work: Work
) -> None:
    """With the database away it would be tried for half a minute, and the process wait for it."""
    await queue(resources, "a")
    running = asyncio.create_task(resources.queue.run_until_idle(60))
    work.go_on.clear()
    await until(lambda: db.value(f"{JOBS} where status = 'doing'") == 1)
    await resources.database.close()
    work.go_on.set()
    await until(lambda: work.done == ["a"])
    await asyncio.sleep(0.1)  # the first attempt to write the end fails, and the next one waits
    await resources.queue.stop()
    await until(lambda: not any("persist_job_status" in str(task.get_coro()) for task in asyncio.all_tasks()))
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError, DatabaseUnavailable):
        await running
