"""Reads the metrics that the database has."""

from __future__ import annotations

from datetime import datetime

from psycopg.rows import dict_row, kwargs_row

from keepsake.infra.database import Connection, queries
from keepsake.infra.metrics import Sample

_SQL = queries.load("metrics")

MAX_PAGES = 1_000
"""Pages (8 kB) that are read of a table; of a larger one the numbers are estimated from as many."""


async def read(conn: Connection, *, now: datetime, max_pages: int = MAX_PAGES) -> list[Sample]:
    """Every metric that the database has; must be the last step of a transaction, because it resets the role."""
    pages = await _SQL["table_pages"].single(conn, dict_row)
    percents = {table: min(100.0, 100.0 * max_pages / max(count, 1)) for table, count in pages.items()}
    stored = await _SQL["stored_counts"].all(conn, kwargs_row(_sample), **percents, now=now)
    await _SQL["reset_role"].execute(conn)
    return stored + await _SQL["job_counts"].all(conn, kwargs_row(_sample))


def _sample(name: str, kind: str, value: float) -> Sample:
    return Sample(name, kind, float(value))
