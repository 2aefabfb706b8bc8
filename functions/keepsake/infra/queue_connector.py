"""Connects procrastinate to the database: notes its last answer, and writes the ends of jobs until they are kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import psycopg
from procrastinate import PsycopgConnector, exceptions
from procrastinate.connector import Notify
from procrastinate.jobs import Status
from procrastinate.manager import JobManager

from keepsake.infra.logs import log

LINGER_SECONDS = 0.1
"""How long a worker waits after a notification: what is queued meanwhile is fetched, and done, together with it."""
_RETRY_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class QueueConnector(PsycopgConnector):
    """The connector of one process; ``last_answer`` shows whether the worker still gets through."""

    def __init__(self) -> None:
        super().__init__()
        self.last_answer = time.monotonic()

    def note_answer(self) -> None:
        """Note that the database answered, or that the worker learned in time that it does not."""
        self.last_answer = time.monotonic()

    async def execute_query_async(self, query: Any, **arguments: Any) -> None:
        """Run a statement without a result, such as a heartbeat."""
        await super().execute_query_async(query, **arguments)
        self.note_answer()

    async def execute_query_one_async(self, query: Any, **arguments: Any) -> dict[str, Any]:
        """Run a statement with one row, such as fetching a job."""
        row: dict[str, Any] = await super().execute_query_one_async(query, **arguments)
        self.note_answer()
        return row

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Listen for new jobs, and pass one notification on for all that come within `LINGER_SECONDS` of the first."""
        passing: asyncio.Task[None] | None = None

        async def pass_on(channel: str, payload: str) -> None:
            await asyncio.sleep(LINGER_SECONDS)
            await on_notification(channel=channel, payload=payload)

        async def notify(*, channel: str, payload: str) -> None:
            nonlocal passing
            if passing is None or passing.done():
                passing = asyncio.create_task(pass_on(channel, payload))

        try:
            await super().listen_notify(notify, channels)
        finally:
            if passing is not None:
                passing.cancel()


class PersistentJobManager(JobManager):
    """Writes the end of a job again until it is written: otherwise the job would be shown as running for good."""

    def __init__(self, connector: QueueConnector) -> None:
        super().__init__(connector)
        self.stopping = asyncio.Event()

    async def finish_job_by_id_async(self, job_id: int, status: Status, delete_job: bool) -> None:  # noqa: FBT001
        """Write the end of a job; while the database is away, again after a pause, until the process is to stop."""
        for attempt, pause in enumerate((*_RETRY_SECONDS, None)):
            try:
                await super().finish_job_by_id_async(job_id=job_id, status=status, delete_job=delete_job)
            except exceptions.ConnectorException as error:
                is_away = isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError)
                if attempt and not is_away:
                    return  # an earlier attempt was written, and only its reply was lost
                if not is_away or pause is None or self.stopping.is_set():
                    raise
                log.info("the end of a job is written again", job_id=job_id)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.stopping.wait(), pause)
            else:
                return
