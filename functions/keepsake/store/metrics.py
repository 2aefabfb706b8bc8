"""Reads from the database the numbers an operator watches."""

from __future__ import annotations

from datetime import datetime

from keepsake.infra.database import Connection, queries
from keepsake.infra.metrics import Sample

_SQL = queries.load("metrics")


async def read(conn: Connection, *, now: datetime) -> list[Sample]:
    """Every number the database knows; must be the transaction's last step, for it lays down the role."""
    stored = await (await conn.execute(_SQL["stored"].sql, {"now": now})).fetchall()
    await conn.execute(_SQL["lay_down_role"].sql)
    queued = await (await conn.execute(_SQL["queued"].sql)).fetchall()
    return [Sample(row["name"], row["kind"], float(row["value"])) for row in [*stored, *queued]]
