"""The job queue: procrastinate on Keepsake's own pool. Jobs carry ids only, and are hints; the data is the truth.

Nothing here retries: a job that fails or is lost leaves its row due, and ``run-due-jobs`` finds it again. So no job
needs a lock, and none can be stranded by one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import procrastinate
import psycopg
from procrastinate import exceptions
from procrastinate.jobs import DeleteJobCondition, Status

from keepsake.errors import DatabaseUnavailable
from keepsake.infra.database import Database
from keepsake.infra.database.errors import queue_errors
from keepsake.infra.logs import log
from keepsake.infra.queue_connector import PersistentJobManager, QueueConnector
from keepsake.infra.stop_signals import call_on_stop

Handler = Callable[..., Awaitable[None]]

EMBED_JOB = "embed_memories"
"""The name of the job that embeds what has no vector."""
SUMMARY_PRIORITY, EMBED_PRIORITY = -5, -10
"""Below the 0 of messages: nobody waits for a summary, so no message waits behind summaries."""

_STALLED_SECONDS = 30.0
_POLLING_SECONDS = 2.0
_POOLED_POLLING_SECONDS = 0.5
"""Behind a pooler nobody can listen: the notification would reach another client, and the subscription stay."""
_GRACE_SECONDS = 8.0
_SHUTDOWN_SECONDS = 12.0
_MAX_SILENCE_SECONDS = 60.0
_WATCH_SECONDS = 5.0
_RESTART_SECONDS = 1.0
_COUNT_WAITING = """
select count(*) as waiting from (
  select from keepsake.procrastinate_jobs where status = 'todo' and priority >= 0 limit %(limit)s
) as waiting
"""
_TAKE_QUEUED = """
with taken as materialized (
  select j.id from keepsake.procrastinate_jobs as j
  where j.status = 'todo' and j.task_name = %(name)s and j.scheduled_at is null
  order by j.priority desc, j.id limit %(limit)s for update skip locked
)
delete from keepsake.procrastinate_jobs as j where j.id = any(array(select t.id from taken as t)) returning j.id, j.args
"""
_handlers: dict[str, Handler] = {}


def task(name: str) -> Callable[[Handler], Handler]:
    """Make a coroutine the handler of jobs of that name; used by ``jobs/tasks.py`` only."""

    def register(handler: Handler) -> Handler:
        _handlers[name] = handler
        return handler

    return register


class JobQueue:
    """Runs what is registered; ``Connection.enqueue_on_commit`` adds to it."""

    def __init__(self, database: Database, *, concurrency: int = 4, max_job_seconds: float = _GRACE_SECONDS) -> None:
        self._database = database
        self._concurrency = concurrency
        self._max_job_seconds = max_job_seconds
        self._connector = QueueConnector()
        self._app = procrastinate.App(connector=self._connector)
        self._app.job_manager = self._jobs = PersistentJobManager(self._connector)
        self._is_working = False
        self._stopping = asyncio.Event()
        self._hears_signals = False
        self._running: set[asyncio.Task[Any]] = set()
        self._gathered: dict[str, list[dict[str, str]]] = {}

    @property
    def is_stalled(self) -> bool:
        """Whether a worker of this process has lost the database without noticing."""
        return self._is_working and self._seconds_of_silence() > 2 * _MAX_SILENCE_SECONDS

    async def run_worker(self) -> None:
        """Run jobs until cancelled; a worker that lost its database is started again."""
        self._is_working = True
        self._jobs.stopping.clear()
        try:
            while True:
                self._connector.note_answer()
                try:
                    await self._run_once()
                except (exceptions.ProcrastinateException, psycopg.Error, DatabaseUnavailable) as error:
                    log.warning("the worker stopped and will start again", exc_info=error)
                if _is_cancelled():  # the shutdown may have failed with the database, and hidden the cancellation
                    raise asyncio.CancelledError
                await asyncio.sleep(_RESTART_SECONDS)
        finally:
            self._is_working = False

    async def run_until_idle(self, max_seconds: float | None = None, *, concurrency: int | None = None) -> None:
        """Run what is queued, for ``max_seconds`` at most; what is running then may finish, unless `stop` ends it."""
        self._jobs.stopping.clear()
        self._stop_on_signals()
        work = asyncio.create_task(
            self._work(
                wait=False,
                concurrency=concurrency or self._concurrency,
                grace=max(_GRACE_SECONDS, self._max_job_seconds),
            )
        )
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({work, stopping}, timeout=max_seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            work.cancel()
            with suppress(asyncio.CancelledError), queue_errors():
                await work

    async def stop(self) -> None:
        """End the jobs of this process: they may finish within the grace period, then they release their work."""
        self._stopping.set()
        jobs = [job for job in self._running if not job.cancelling()]
        if jobs:
            await asyncio.wait(jobs, timeout=_GRACE_SECONDS)
        for job in jobs:
            job.cancel()
        self._jobs.stopping.set()
        if jobs:
            await asyncio.wait(jobs, timeout=_SHUTDOWN_SECONDS)

    async def _run_once(self) -> None:
        """Run a worker until it ends, is cancelled, or gets no answer of the database for too long."""
        await self.sweep()
        work = asyncio.create_task(self._work(wait=True, concurrency=self._concurrency, grace=_GRACE_SECONDS))
        try:
            while not work.done() and self._seconds_of_silence() < _MAX_SILENCE_SECONDS:
                await asyncio.wait({work}, timeout=_WATCH_SECONDS)
            if not work.done():
                log.error("the worker hears nothing of the database", seconds=round(self._seconds_of_silence()))
        finally:
            await self._end(work)
        if not work.cancelled():
            work.result()

    async def _end(self, work: asyncio.Task[None]) -> None:
        """Let running jobs finish within their grace period; what does not end after it is abandoned."""
        if _is_cancelled():
            self._jobs.stopping.set()
        for seconds in (_GRACE_SECONDS + _SHUTDOWN_SECONDS, _RESTART_SECONDS):
            if not work.done():
                work.cancel()
                await asyncio.wait({work}, timeout=seconds)

    def _seconds_of_silence(self) -> float:
        return time.monotonic() - self._connector.last_answer

    async def count_waiting(self, limit: int) -> int:
        """Count the jobs of messages that nobody has begun; ``limit`` of them at most."""
        await self._open()
        with queue_errors():
            row = await self._connector.execute_query_one_async(_COUNT_WAITING, limit=limit)
        return int(row["waiting"])

    async def gather(self, name: str, arguments: dict[str, str], limit: int) -> list[dict[str, str]]:
        """Gather the jobs that a job of that kind does together with its own: `limit` of the queue at most.

        Returns their arguments, its own first. A job that begins while another one gathers is gathered by that
        one, and gets none. What is gathered has left the queue: should this process die, its turns are due again by
        their own rows, as after every loss of a job.
        """
        if limit <= 1:
            return [arguments]
        if name in self._gathered:
            self._gathered[name].append(arguments)
            return []
        gathered = self._gathered[name] = [arguments]
        try:
            queued = await self._take_queued(name, limit - 1)
        finally:
            del self._gathered[name]
        return gathered + queued

    async def _take_queued(self, name: str, limit: int) -> list[dict[str, str]]:
        """Take the next jobs of a kind out of the queue, first come first."""
        await self._open()
        with queue_errors():
            rows = await self._connector.execute_query_all_async(_TAKE_QUEUED, name=name, limit=limit)
        return [row["args"] for row in sorted(rows, key=lambda row: row["id"])]

    async def sweep(self) -> int:
        """Close the jobs of workers that died; their turns are due again by their own rows. How many there were."""
        await self._open()
        with queue_errors():
            stalled = await self._app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_STALLED_SECONDS)
        jobs = [job for job in stalled if job.id is not None]
        for job in jobs:
            with suppress(exceptions.ConnectorException):  # another sweeper was first
                await self._app.job_manager.finish_job_by_id_async(
                    job_id=int(job.id or 0), status=Status.FAILED, delete_job=True
                )
        return len(jobs)

    async def _work(self, *, wait: bool, concurrency: int, grace: float) -> None:
        await self._open()
        is_direct = self._database.is_direct
        await self._app.run_worker_async(
            wait=wait,
            concurrency=concurrency,
            listen_notify=wait and is_direct,
            fetch_job_polling_interval=_POLLING_SECONDS if is_direct else _POOLED_POLLING_SECONDS,
            shutdown_graceful_timeout=grace,
            install_signal_handlers=False,
            delete_jobs=DeleteJobCondition.ALWAYS.value,
            stalled_worker_timeout=_STALLED_SECONDS,
        )

    async def _open(self) -> None:
        for name in _handlers.keys() - self._app.tasks.keys():
            self._app.task(name=name)(self._tracked(_handlers[name]))
        await self._app.open_async(await self._database.pool())

    def _tracked(self, handler: Handler) -> Handler:
        """The handler, whose running task `stop` finds."""

        async def run(**arguments: Any) -> None:
            if job := asyncio.current_task():
                self._running.add(job)
                job.add_done_callback(self._running.discard)
                if self._stopping.is_set():  # it was fetched as the stop came
                    asyncio.get_running_loop().call_later(_GRACE_SECONDS, job.cancel)
            await handler(**arguments)

        return run

    def _stop_on_signals(self) -> None:
        """Stop when the server of this process is told to: it waits for requests, which wait for jobs."""
        if not self._hears_signals:
            self._hears_signals = True
            call_on_stop(self._begin_stop)

    def _begin_stop(self) -> None:
        self._ending = asyncio.ensure_future(self.stop())


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def registered() -> Mapping[str, Handler]:
    """The handlers by name."""
    return dict(_handlers)
