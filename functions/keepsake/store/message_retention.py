"""Deletes the text of old messages, batch by batch."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("message_retention")
Position = tuple[datetime, UUID]
"""The moment and the id of a message."""


@dataclass(frozen=True, slots=True)
class TextDeletionBatch:
    """Texts that a batch deleted, where the next continues (None after the last), and the oldest one still needed."""

    affected: int
    after: Position | None
    first_needed: datetime | None


async def delete_message_texts(
    conn: Connection, *, after: Position, said_before: datetime, batch: int
) -> TextDeletionBatch:
    """Delete the texts of the next old messages from which everything has been written that is written from them."""
    params = {"after_said": after[0], "after": after[1], "said_before": said_before, "batch": batch}
    row = await _SQL["delete_message_texts"].single(conn, dict_row, **params)
    position = (row["last_said"], row["last"]) if row["seen"] == batch else None
    return TextDeletionBatch(row["touched"], position, row["first_needed"])


async def read_watermark(conn: Connection) -> datetime | None:
    """Up to when every text has been deleted; None before the first run."""
    return await _SQL["watermark"].value(conn)


async def move_watermark(conn: Connection, reached: datetime) -> None:
    """Note up to when every text has been deleted."""
    await _SQL["move_watermark"].execute(conn, reached=reached)
