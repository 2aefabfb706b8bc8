"""Message retention: deletes the text of messages older than MESSAGE_RETENTION_DAYS that nothing is to be written from.

It begins where the last run found the oldest text that was still needed, so that a run costs what is new.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from time import monotonic
from uuid import UUID

from keepsake.infra.database import Profile
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import message_retention
from keepsake.store.message_retention import Position

_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)
_FIRST = UUID(int=0)


async def delete_message_texts(resources: Resources, *, until: float, batch: int = 500) -> int:
    """Delete the texts, until nothing is left to do or the monotonic clock shows ``until``; how many."""
    days = resources.settings.message_retention_days
    if days is None:
        return 0
    said_before = resources.clock.now() - timedelta(days=days)
    async with resources.database.as_service() as conn:
        reached = await message_retention.read_watermark(conn) or _LONG_AGO
    after: Position | None = (reached, _FIRST)
    deleted, needed = 0, said_before
    while after is not None and monotonic() < until:
        reached = after[0]
        async with resources.database.as_service(Profile.LOCKING) as conn:
            step = await message_retention.delete_message_texts(conn, after=after, said_before=said_before, batch=batch)
        deleted, after = deleted + step.affected, step.after
        needed = min(needed, step.first_needed or said_before)
    async with resources.database.as_service() as conn:
        await message_retention.move_watermark(conn, needed if after is None else min(needed, reached))
    log.info("deleted the text of old messages", texts=deleted)
    return deleted
