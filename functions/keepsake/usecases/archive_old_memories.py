"""Ends what has had its time: expiry, retention, archiving, the cap, and deletion for good; in batches, resumable.

Every batch is a transaction and an operation of its own, so a run that is cut off has done what it has done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from uuid import uuid4

from keepsake.domain.lifecycle import ARCHIVE_AGE, ARCHIVE_UNREFERENCED, MAX_ACTIVE_MEMORIES
from keepsake.infra.db import Connection
from keepsake.infra.resources import Resources
from keepsake.store import memories, retention

UNDO_WINDOW = timedelta(days=30)
"""How long what was forgotten can be brought back."""

_IMAGES_KEPT = UNDO_WINDOW + timedelta(days=1)  # the database decides by its own clock what can be undone
_DELIVERIES_KEPT = timedelta(days=7)
_COUNTERS_KEPT = timedelta(days=1)
_BATCH = 500

Batch = Callable[[Connection], Awaitable[int]]


@dataclass(frozen=True, slots=True)
class Archived:
    """How many memories each rule ended; ``done`` is False where time ran out first."""

    expired: int
    forgotten: int
    archived: int
    over_cap: int
    deleted: int
    done: bool


async def archive_old_memories(use: Resources, *, max_seconds: float) -> Archived:
    """Apply every rule until nothing is left to do, or the time is over."""
    now = use.clock.now()
    run = _Run(use, until=monotonic() + max_seconds)
    return Archived(
        expired=await run.all_of(lambda c: retention.expire(c, now=now, batch=_BATCH), "expired"),
        forgotten=await run.all_of(
            lambda c: retention.forget_by_retention(c, now=now, batch=_BATCH), "kept as long as the person wants"
        ),
        archived=await run.all_of(
            lambda c: retention.archive_unused(c, now=now, age=ARCHIVE_AGE, unused=ARCHIVE_UNREFERENCED, batch=_BATCH),
            "old and unused",
        ),
        over_cap=await run.all_of(lambda c: _archive_over_cap(c, now), "over the cap", full=1),
        deleted=await _delete(run, now),
        done=run.done,
    )


async def _delete(run: _Run, now: datetime) -> int:
    """Delete what can no longer be brought back, and what only this service knew for a while."""
    deleted = await run.all_of(
        lambda c: retention.delete_forgotten(c, deleted_before=now - UNDO_WINDOW, batch=_BATCH), "deleted for good"
    )
    await run.all_of(lambda c: retention.drop_images(c, done_before=now - _IMAGES_KEPT, batch=_BATCH), "old")
    await run.all_of(
        lambda c: retention.drop_deliveries(c, received_before=now - _DELIVERIES_KEPT, batch=_BATCH), "old"
    )
    await run.all_of(lambda c: retention.drop_counters(c, period_before=now - _COUNTERS_KEPT, batch=_BATCH), "old")
    return deleted


async def _archive_over_cap(conn: Connection, now: datetime) -> int:
    """Bring the first profiles over the cap back to it."""
    count = 0
    for user_id, profile_id in await retention.over_cap(conn, cap=MAX_ACTIVE_MEMORIES, batch=_BATCH):
        count += await memories.archive_over_cap(
            conn, user_id=user_id, profile_id=profile_id, cap=MAX_ACTIVE_MEMORIES, now=now
        )
    return count


class _Run:
    """Repeats batches while there is time."""

    def __init__(self, use: Resources, *, until: float) -> None:
        self._use = use
        self._until = until
        self.done = True

    async def all_of(self, batch: Batch, reason: str, *, full: int = _BATCH) -> int:
        """Repeat a batch until one comes back less than full; how many rows in all."""
        count = 0
        while True:
            if monotonic() >= self._until:
                self.done = False
                return count
            async with self._use.database.as_service() as conn:
                await memories.begin_operation(conn, operation_id=uuid4(), actor="cron", reason=reason)
                touched = await batch(conn)
            count += touched
            if touched < full:
                return count
