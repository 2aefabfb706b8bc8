"""Webhook deliveries already answered: a repeated one gets the first answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from keepsake.infra.database import Connection, queries

_SQL = queries.load("deliveries")


async def note(conn: Connection, *, webhook_id: str, status: int, now: datetime) -> bool:
    """Whether this is the delivery's first time; a second waits here until the first has its answer."""
    given = {"webhook_id": webhook_id, "status": status, "now": now}
    return await (await conn.execute(_SQL["note_delivery"].sql, given)).fetchone() is not None


async def keep(conn: Connection, *, webhook_id: str, outcome: Mapping[str, Any]) -> None:
    """Keep the answer of a delivery."""
    await conn.execute(_SQL["keep_outcome"].sql, {"webhook_id": webhook_id, "outcome": Jsonb(dict(outcome))})


async def first_outcome(conn: Connection, *, webhook_id: str) -> dict[str, Any]:
    """The answer a delivery got the first time."""
    row = await (await conn.execute(_SQL["first_outcome"].sql, {"webhook_id": webhook_id})).fetchone()
    return dict(row["outcome"]) if row else {}
