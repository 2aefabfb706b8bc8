"""The job queue: procrastinate on Keepsake's own pool. Jobs carry ids only, and are hints; the data is the truth.

Nothing here retries: a job that fails or is lost leaves its row due, and ``run-due-jobs`` finds it again. So no job
needs a lock, and none can be stranded by one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import procrastinate
import psycopg
from procrastinate import exceptions
from procrastinate.jobs import DeleteJobCondition, Status

from keepsake.errors import DatabaseUnavailable
from keepsake.infra.database import Database
from keepsake.infra.database.errors import queue_errors
from keepsake.infra.logs import log

Handler = Callable[..., Awaitable[None]]

EMBED_JOB = "embed_memories"
"""The name of the job that embeds what has no vector."""

_STALLED_SECONDS = 30.0
_POLLING_SECONDS = 2.0
_GRACE_SECONDS = 8.0
_RESTART_SECONDS = 1.0
_handlers: dict[str, Handler] = {}


def task(name: str) -> Callable[[Handler], Handler]:
    """Make a coroutine the handler of jobs of that name; used by ``jobs/tasks.py`` only."""

    def register(handler: Handler) -> Handler:
        _handlers[name] = handler
        return handler

    return register


class JobQueue:
    """Runs what is registered; ``Connection.enqueue_on_commit`` adds to it."""

    def __init__(self, database: Database, *, concurrency: int = 4) -> None:
        self._database = database
        self._concurrency = concurrency
        self._app = procrastinate.App(connector=procrastinate.PsycopgConnector())

    async def run_worker(self, *, concurrency: int | None = None) -> None:
        """Work until cancelled; a worker that dies with its database comes back with it."""
        while True:
            try:
                await self.sweep()
                await self._work(wait=True, concurrency=concurrency or self._concurrency)
            except (exceptions.ProcrastinateException, psycopg.Error, DatabaseUnavailable) as error:
                log.warning("the worker stopped and will start again", exc_info=error)
            await asyncio.sleep(_RESTART_SECONDS)

    async def run_until_idle(self, max_seconds: float | None = None) -> None:
        """Run what is queued, for ``max_seconds`` at most; what is running then is given its grace to finish."""
        work = asyncio.create_task(self._work(wait=False, concurrency=self._concurrency))
        try:
            await asyncio.wait({work}, timeout=max_seconds)
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError), queue_errors():
                await work

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

    async def _work(self, *, wait: bool, concurrency: int) -> None:
        await self._open()
        await self._app.run_worker_async(
            wait=wait,
            concurrency=concurrency,
            listen_notify=wait,
            fetch_job_polling_interval=_POLLING_SECONDS,
            shutdown_graceful_timeout=_GRACE_SECONDS,
            install_signal_handlers=False,
            delete_jobs=DeleteJobCondition.ALWAYS.value,
            stalled_worker_timeout=_STALLED_SECONDS,
        )

    async def _open(self) -> None:
        for name in _handlers.keys() - self._app.tasks.keys():
            self._app.task(name=name)(_handlers[name])
        await self._app.open_async(await self._database.pool())


def registered() -> Mapping[str, Handler]:
    """The handlers by name."""
    return dict(_handlers)
