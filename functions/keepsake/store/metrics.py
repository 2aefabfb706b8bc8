"""Reads the metrics that the database has."""

from __future__ import annotations

from datetime import datetime

from psycopg.rows import kwargs_row

from keepsake.infra.database import Connection, queries
from keepsake.infra.metrics import Sample

_SQL = queries.load("metrics")


async def read(conn: Connection, *, now: datetime) -> list[Sample]:
    """Every number the database knows; must be the transaction's last step, for it lays down the role."""
    stored = await _SQL["stored_counts"].all(conn, kwargs_row(_sample), now=now)
    await _SQL["reset_role"].execute(conn)
    return stored + await _SQL["job_counts"].all(conn, kwargs_row(_sample))


def _sample(name: str, kind: str, value: float) -> Sample:
    return Sample(name, kind, float(value))
