"""The queries that expire, archive and delete memories and old records; each call is one batch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, TypeVar
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey

Position = TypeVar("Position")
_SQL = queries.load("retention")


@dataclass(frozen=True, slots=True)
class BatchResult(Generic[Position]):
    """How many rows a batch affected, and where the next continues; None after the last batch."""

    affected: int
    after: Position | None


class Trim(StrEnum):
    """The queries that trim the service's own records."""

    ROW_IMAGES = "clear_images"
    CHANGES = "drop_changes"
    EXTRACTION_COUNTS = "shrink_extractions"
    DELIVERIES = "drop_deliveries"
    COUNTERS = "drop_counters"
    INJECTIONS = "drop_injections"
    COMMANDS = "drop_commands"


async def expire(conn: Connection, *, now: datetime, batch: int) -> int:
    """Expire memories whose expiry has passed."""
    return len(await _SQL["expire"].values(conn, now=now, batch=batch))


async def forget_by_retention(
    conn: Connection, *, after: UUID, now: datetime, people: int, batch: int
) -> BatchResult[UUID]:
    """Soft delete what exceeds the retention of the next people; a full batch continues with the same people."""
    params = {"after": after, "now": now, "people": people, "batch": batch}
    row = await _SQL["forget_by_retention"].single(conn, dict_row, **params)
    if row["touched"] >= batch:
        return BatchResult(row["touched"], after)
    return BatchResult(row["touched"], row["last"] if row["seen"] == people else None)


async def archive_unused(
    conn: Connection, *, after: tuple[datetime, UUID], now: datetime, age: timedelta, unused: timedelta, batch: int
) -> BatchResult[tuple[datetime, UUID]]:
    """Archive those of the next old memories that were not referenced."""
    params = {"made_before": now - age, "used_before": now - unused, "now": now, "batch": batch}
    row = await _SQL["archive_unused"].single(conn, dict_row, **params, after_made=after[0], after=after[1])
    return BatchResult(row["touched"], (row["last_made"], row["last"]) if row["seen"] == batch else None)


async def over_cap(
    conn: Connection, *, after: ProfileKey, cap: int, people: int
) -> tuple[list[ProfileKey], ProfileKey | None]:
    """Those of the next profiles that exceed the cap, and where to continue."""
    params = {"after_user": after.user_id, "after": after.profile_id, "cap": cap, "people": people}
    rows = await _SQL["over_cap"].all(conn, dict_row, **params)
    profiles = [ProfileKey(row["user_id"], row["profile_id"]) for row in rows]
    full = [profile for profile, row in zip(profiles, rows, strict=True) if row["over"]]
    return full, profiles[-1] if len(profiles) == people else None


async def delete_forgotten(conn: Connection, *, deleted_before: datetime, batch: int) -> int:
    """Hard delete what was soft deleted before this moment."""
    await _SQL["enable_hard_delete"].execute(conn)
    return len(await _SQL["delete_forgotten"].values(conn, deleted_before=deleted_before, batch=batch))


async def trim(conn: Connection, records: Trim, *, before: datetime, batch: int) -> int:
    """Delete the service's own records from before this moment, or their contents."""
    return len(await _SQL[records].values(conn, before=before, batch=batch))
