"""Inserts the jobs that a transaction collected, through procrastinate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import procrastinate
import psycopg

from keepsake.infra.database.errors import queue_errors

_app = procrastinate.App(connector=procrastinate.PsycopgConnector())  # never opened: it inserts on given connections


@dataclass(frozen=True, slots=True)
class Job:
    """A job to be: the name of its task, and ids only. Of what is queued, the highest ``priority`` comes first."""

    name: str
    arguments: Mapping[str, UUID | str] = field(default_factory=dict)
    priority: int = 0


async def insert_jobs(conn: psycopg.AsyncConnection[Any], jobs: Sequence[Job]) -> None:
    """Insert jobs in the open transaction, as the login role: neither people nor the service may write the queue."""
    await conn.execute("reset role")
    for job in jobs:
        deferrer = _app.configure_task(job.name, allow_unknown=True, connection=conn, priority=job.priority)
        with queue_errors():
            await deferrer.defer_async(**{key: str(value) for key, value in job.arguments.items()})
