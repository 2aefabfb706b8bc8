"""Ends what has had its time: expiry, retention, archiving, the cap, and deletion for good; in batches, resumable.

Every batch is a transaction and an operation of its own, so a run that is cut off has done what it has done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TypeVar
from uuid import UUID

from keepsake.domain.lifecycle.lifetimes import ARCHIVE_AGE, ARCHIVE_UNREFERENCED, MAX_ACTIVE_MEMORIES
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import memories, retention
from keepsake.store.operations import Operation, operation
from keepsake.store.retention import Step
from keepsake.usecases.lifecycle.consolidate import curate

Position = TypeVar("Position")
Batch = Callable[[Connection], Awaitable[int]]
StepBatch = Callable[[Connection, Position, Operation], Awaitable[Step[Position]]]

UNDO_WINDOW = timedelta(days=30)
"""How long what was forgotten can be brought back."""

_IMAGES_KEPT = UNDO_WINDOW + timedelta(days=1)  # the database decides by its own clock what can be undone
_DELIVERIES_KEPT = timedelta(days=7)
_COUNTERS_KEPT = timedelta(days=1)
_INJECTIONS_KEPT = timedelta(days=180)
_BATCH = 500
_SEEN = 2_000
_PEOPLE = 200
_FIRST = UUID(int=0)
_LONG_AGO = datetime(1, 1, 2, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Archived:
    """How many memories each rule ended; ``done`` is False where time ran out first."""

    expired: int
    forgotten: int
    archived: int
    folded: int
    over_cap: int
    deleted: int
    done: bool


async def archive_old_memories(resources: Resources, *, max_seconds: float) -> Archived:
    """Apply every rule until nothing is left to do, or the time is over."""
    now = resources.clock.now()
    run = _Run(resources, until=monotonic() + max_seconds)
    expired = await run.all_of(lambda c: retention.expire(c, now=now, batch=_BATCH), "expired")
    forgotten = await run.through(
        lambda c, after, _: retention.forget_by_retention(c, after=after, now=now, people=_PEOPLE, batch=_BATCH),
        "kept as long as the person wants",
        start=_FIRST,
    )
    archived = await run.through(
        lambda c, after, _: retention.archive_unused(
            c, after=after, now=now, age=ARCHIVE_AGE, unused=ARCHIVE_UNREFERENCED, batch=_SEEN
        ),
        "old and unused",
        start=(_LONG_AGO, _FIRST),
    )
    folded = await run.through(
        lambda c, after, _: curate(c, after, now=now, people=_PEOPLE), "folded", start=(_FIRST, _FIRST)
    )
    over_cap = await run.through(
        lambda c, after, op: _to_cap(c, after, op, now), "over the cap", start=(_FIRST, _FIRST)
    )
    deleted = await _delete(run, now)
    return Archived(expired, forgotten, archived, folded, over_cap, deleted, run.done)


async def _delete(run: _Run, now: datetime) -> int:
    """Delete what can no longer be brought back, and what only this service knew for a while."""
    deleted = await run.all_of(
        lambda c: retention.delete_forgotten(c, deleted_before=now - UNDO_WINDOW, batch=_BATCH), "deleted for good"
    )
    trims: tuple[Batch, ...] = (
        lambda c: retention.drop_images(c, done_before=now - _IMAGES_KEPT, batch=_BATCH),
        lambda c: retention.drop_deliveries(c, received_before=now - _DELIVERIES_KEPT, batch=_BATCH),
        lambda c: retention.drop_counters(c, period_before=now - _COUNTERS_KEPT, batch=_BATCH),
        lambda c: retention.drop_injections(c, made_before=now - _INJECTIONS_KEPT, batch=_BATCH),
        lambda c: retention.drop_commands(c, made_before=now - UNDO_WINDOW, batch=_BATCH),
    )
    for trim in trims:
        await run.all_of(trim, "old")
    return deleted


async def _to_cap(conn: Connection, after: tuple[UUID, UUID], op: Operation, now: datetime) -> Step[tuple[UUID, UUID]]:
    """Bring those of the next profiles that are over the cap back to it, as many as make a batch."""
    full, last = await retention.over_cap(conn, after=after, cap=MAX_ACTIVE_MEMORIES, people=_PEOPLE)
    count = 0
    for user_id, profile_id in full:
        count += await memories.archive_over_cap(
            conn, user_id=user_id, profile_id=profile_id, cap=MAX_ACTIVE_MEMORIES, operation=op, now=now
        )
        if count >= _BATCH:
            return Step(count, (user_id, profile_id))
    return Step(count, last)


class _Run:
    """Repeats batches while there is time."""

    def __init__(self, resources: Resources, *, until: float) -> None:
        self._use = resources
        self._until = until
        self.done = True

    async def all_of(self, batch: Batch, reason: str) -> int:
        """Repeat a batch until one comes back less than full; how many rows in all."""

        async def step(conn: Connection, at: int, _: Operation) -> Step[int]:
            touched = await batch(conn)
            return Step(touched, at + 1 if touched == _BATCH else None)

        return await self.through(step, reason, start=0)

    async def through(self, batch: StepBatch[Position], reason: str, *, start: Position) -> int:
        """Repeat a batch from where the one before it ended, until there is no further; how many rows in all."""
        count, after = 0, start
        while monotonic() < self._until:
            async with (
                self._use.database.as_service(Profile.LOCKING) as conn,
                operation(conn, actor="cron", reason=reason) as op,
            ):
                step = await batch(conn, after, op)
            count += step.touched
            if step.after is None:
                return count
            after = step.after
        self.done = False
        return count
