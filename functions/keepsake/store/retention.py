"""What is expired, archived and deleted in batches; each call is one batch within the caller's transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from keepsake.infra import queries
from keepsake.infra.db import Connection

_SQL = queries.load("retention")


async def expire(conn: Connection, *, now: datetime, batch: int) -> int:
    """Mark memories whose time is over."""
    return await _touched(conn, "expire", now=now, batch=batch)


async def forget_by_retention(conn: Connection, *, now: datetime, batch: int) -> int:
    """Forget what people want kept no longer."""
    return await _touched(conn, "forget_by_retention", now=now, batch=batch)


async def archive_unused(conn: Connection, *, now: datetime, age: timedelta, unused: timedelta, batch: int) -> int:
    """Archive what is old and was not needed."""
    given = {"made_before": now - age, "used_before": now - unused}
    return await _touched(conn, "archive_unused", now=now, batch=batch, **given)


async def over_cap(conn: Connection, *, cap: int, batch: int) -> list[tuple[UUID, UUID]]:
    """Person and profile of those that hold more than they may."""
    rows = await (await conn.execute(_SQL["over_cap"].sql, {"cap": cap, "batch": batch})).fetchall()
    return [(row["user_id"], row["profile_id"]) for row in rows]


async def delete_forgotten(conn: Connection, *, deleted_before: datetime, batch: int) -> int:
    """Delete for good what was forgotten before then."""
    await conn.execute(_SQL["end_for_good"].sql)
    return await _touched(conn, "delete_forgotten", deleted_before=deleted_before, batch=batch)


async def drop_deliveries(conn: Connection, *, received_before: datetime, batch: int) -> int:
    """Drop what is known of old webhook deliveries."""
    return await _touched(conn, "drop_deliveries", received_before=received_before, batch=batch)


async def drop_counters(conn: Connection, *, period_before: datetime, batch: int) -> int:
    """Drop the rates of past minutes."""
    return await _touched(conn, "drop_counters", period_before=period_before, batch=batch)


async def drop_images(conn: Connection, *, done_before: datetime, batch: int) -> int:
    """Drop the words in the record of changes that can no longer be undone."""
    return await _touched(conn, "drop_images", done_before=done_before, batch=batch)


async def _touched(conn: Connection, query: str, **given: Any) -> int:
    return len(await (await conn.execute(_SQL[query].sql, given)).fetchall())
