"""Inserts the jobs that a transaction collected, as procrastinate would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import psycopg
from psycopg import AsyncRawCursor
from psycopg.types.json import Jsonb

_INSERT = b"""
select procrastinate_defer_jobs_v1(array(
  select row('default', t.name, t.priority, null, null, t.arguments, null)::procrastinate_job_to_defer_v1
  from unnest($1::text[], $2::integer[], $3::jsonb[]) with ordinality as t (name, priority, arguments, number)
  order by t.number
))
"""


@dataclass(frozen=True, slots=True)
class Job:
    """A job to insert: the name of its task, and ids only. The highest ``priority`` runs first."""

    name: str
    arguments: Mapping[str, UUID | str] = field(default_factory=dict)
    priority: int = 0


async def insert_jobs(conn: psycopg.AsyncConnection[Any], jobs: Sequence[Job]) -> None:
    """Insert jobs in the open transaction, as the login role: neither people nor the service may write the queue."""
    arguments = [Jsonb({key: str(value) for key, value in job.arguments.items()}) for job in jobs]
    await conn.execute("reset role")
    await AsyncRawCursor(conn).execute(
        _INSERT, ([job.name for job in jobs], [job.priority for job in jobs], arguments), prepare=True
    )
