"""Applies the lifecycle rules: expiry, retention, archiving, consolidation, the cap and hard delete, in batches.

Last comes the retention of messages, where it is on.

Every batch is a transaction and an operation of its own, so that an interrupted run loses nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar
from uuid import UUID

from keepsake.domain.lifecycle.lifetimes import ARCHIVE_AGE, ARCHIVE_UNREFERENCED, MAX_ACTIVE_MEMORIES
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import memories, retention
from keepsake.store.operations import Operation, operation
from keepsake.store.retention import BatchResult, Trim
from keepsake.store.row_keys import ProfileKey
from keepsake.usecases.lifecycle.consolidate import consolidate
from keepsake.usecases.lifecycle.delete_message_texts import delete_message_texts

Position = TypeVar("Position")
Batch = Callable[[Connection], Awaitable[int]]
StepBatch = Callable[[Connection, Position, Operation], Awaitable[BatchResult[Position]]]

UNDO_WINDOW = timedelta(days=30)
"""How long a soft delete can be undone."""

_AGES = {
    Trim.ROW_IMAGES: UNDO_WINDOW + timedelta(days=1),  # the database decides by its own clock what can be undone
    Trim.EXTRACTION_COUNTS: timedelta(days=180),
    Trim.DELIVERIES: timedelta(days=7),
    Trim.COUNTERS: timedelta(days=1),
    Trim.INJECTIONS: timedelta(days=180),
    Trim.COMMANDS: UNDO_WINDOW,
}
"""How long the service's own records are kept; the audit log as long as its setting says."""
_FIRST = UUID(int=0)
_FIRST_PROFILE = ProfileKey(_FIRST, _FIRST)
_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class BatchSizes:
    """Rows changed, memories scanned and people visited in a batch; and which profiles are crowded."""

    rows: int = 500
    scanned: int = 2_000
    people: int = 200
    min_memories: int = 100
    min_growth: int = 20


DEFAULT_SIZES = BatchSizes()


@dataclass(frozen=True, slots=True)
class LifecycleRun:
    """The number of memories that each rule affected; ``done`` is False if the time ran out."""

    expired: int
    forgotten: int
    archived: int
    folded: int
    over_cap: int
    deleted: int
    done: bool


async def archive_old_memories(
    resources: Resources, *, max_seconds: float, sizes: BatchSizes = DEFAULT_SIZES
) -> LifecycleRun:
    """Apply every rule until nothing is left to do, or the time is over."""
    now = resources.clock.now()
    run = _Run(resources, until=monotonic() + max_seconds, sizes=sizes)
    expired = await run.all_of(lambda c: retention.expire(c, now=now, batch=sizes.rows), "expired")
    forgotten = await run.through(
        lambda c, after, _: retention.forget_by_retention(
            c, after=after, now=now, people=sizes.people, batch=sizes.rows
        ),
        "kept as long as the person wants",
        start=_FIRST,
    )
    archived = await run.through(
        lambda c, after, _: retention.archive_unused(
            c, after=after, now=now, age=ARCHIVE_AGE, unused=ARCHIVE_UNREFERENCED, batch=sizes.scanned
        ),
        "old and unused",
        start=(_LONG_AGO, _FIRST),
    )
    folded = await run.through(
        lambda c, after, _: consolidate(
            c, after, now=now, people=sizes.people, min_memories=sizes.min_memories, min_growth=sizes.min_growth
        ),
        "folded",
        start=_FIRST_PROFILE,
    )
    over_cap = await run.through(
        lambda c, after, op: _to_cap(c, after, op, now, sizes), "over the cap", start=_FIRST_PROFILE
    )
    deleted = await _delete(run, now, sizes.rows)
    await delete_message_texts(resources, until=run.until, batch=sizes.rows)
    return LifecycleRun(expired, forgotten, archived, folded, over_cap, deleted, run.done)


async def _delete(run: _Run, now: datetime, batch: int) -> int:
    """Hard delete what can no longer be restored, and drop old records of the service."""
    deleted = await run.all_of(
        lambda c: retention.delete_forgotten(c, deleted_before=now - UNDO_WINDOW, batch=batch), "deleted for good"
    )
    for records, age in {**_AGES, Trim.CHANGES: timedelta(days=run.audit_log_days)}.items():
        await run.all_of(partial(retention.trim, records=records, before=now - age, batch=batch), "old")
    return deleted


async def _to_cap(
    conn: Connection, after: ProfileKey, op: Operation, now: datetime, sizes: BatchSizes
) -> BatchResult[ProfileKey]:
    """Archive memories of the next profiles that exceed the cap, until a batch is full."""
    full, last = await retention.over_cap(conn, after=after, cap=MAX_ACTIVE_MEMORIES, people=sizes.people)
    count = 0
    for profile in full:
        count += await memories.archive_over_cap(
            conn, user_id=profile.user_id, profile_id=profile.profile_id, cap=MAX_ACTIVE_MEMORIES, operation=op, now=now
        )
        if count >= sizes.rows:
            return BatchResult(count, profile)
    return BatchResult(count, last)


class _Run:
    """Repeats batches until the time is over."""

    def __init__(self, resources: Resources, *, until: float, sizes: BatchSizes) -> None:
        self._use = resources
        self.until = until
        self.audit_log_days = resources.settings.audit_log_days
        self._batch = sizes.rows
        self.done = True

    async def all_of(self, batch: Batch, reason: str) -> int:
        """Repeat a batch until one is not full; the number of rows."""

        async def step(conn: Connection, at: int, _: Operation) -> BatchResult[int]:
            affected = await batch(conn)
            return BatchResult(affected, at + 1 if affected == self._batch else None)

        return await self.through(step, reason, start=0)

    async def through(self, batch: StepBatch[Position], reason: str, *, start: Position) -> int:
        """Repeat a batch, each from the end of the one before, until the last; the number of rows."""
        count, after = 0, start
        while monotonic() < self.until:
            async with (
                self._use.database.as_service(Profile.LOCKING) as conn,
                operation(conn, actor="cron", reason=reason) as op,
            ):
                step = await batch(conn, after, op)
            count += step.affected
            if step.after is None:
                return count
            after = step.after
        self.done = False
        return count
