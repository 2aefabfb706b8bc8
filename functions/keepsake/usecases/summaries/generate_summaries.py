"""Finds the profiles with due summaries of a level, and has one job written for each until the time is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from uuid import UUID

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.domain.summaries.periods import Level, Period
from keepsake.infra.database import Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.resources import Resources
from keepsake.store import summary_schedule
from keepsake.store.row_keys import ProfileKey
from keepsake.usecases.summaries.write_due_summaries import SUMMARIZE_PROFILE_JOB

_GRACE = timedelta(minutes=10)
"""How long a job may take before its profile is due again."""

_JOBS_A_CALL = 2
"""Jobs for each call of the model that is allowed at once: one reads or writes while the other waits for the model."""

_PROFILES_AT_ONCE = 1000
_MARKS_AT_ONCE = 5000
_FIRST = ProfileKey(UUID(int=0), UUID(int=0))
MAX_COUNTED = 100_000
"""Due summaries that are counted in a report."""


@dataclass(frozen=True, slots=True)
class SummaryRun:
    """One run: periods that a backfill marked, profiles that got a job, and summaries that are still due."""

    marked: int
    queued: int
    remaining: int
    done: bool


@dataclass(frozen=True, slots=True)
class SummaryBackfill:
    """A span of time to summarize again, of one person or of all."""

    span: BackfillSpan
    user_id: UUID | None = None


async def generate_summaries(
    resources: Resources, level: Level, *, max_seconds: float, backfill: SummaryBackfill | None = None
) -> SummaryRun:
    """Write what is due of a level; repeating it, or calling it several times at once, writes nothing twice."""
    until = monotonic() + max_seconds
    marked = await _mark(resources, backfill.span.periods(level), backfill.user_id) if backfill else 0
    await _fold_marks(resources)
    queued = await _queue(resources, level)
    while True:  # once also where nothing was due: a run that died has left jobs in the queue
        left = until - monotonic()
        if left > 0:
            await resources.queue.run_until_idle(left, concurrency=_JOBS_A_CALL * resources.settings.worker_concurrency)
        batch = await _queue(resources, level) if monotonic() < until else 0
        queued += batch
        if not batch:
            break
    async with resources.database.as_service() as conn:
        remaining = await summary_schedule.count_due(conn, level, now=resources.clock.now(), limit=MAX_COUNTED)
    return SummaryRun(marked, queued, remaining, done=remaining == 0 and monotonic() < until)


async def _fold_marks(resources: Resources) -> None:
    """Turn the marks of changed memories into due periods."""
    taken = _MARKS_AT_ONCE
    while taken == _MARKS_AT_ONCE:
        async with resources.database.as_service() as conn:
            taken = await summary_schedule.fold_marks(conn, limit=_MARKS_AT_ONCE)


async def _queue(resources: Resources, level: Level) -> int:
    """Queue one job for each of the next profiles; returns how many."""
    now = resources.clock.now()
    async with resources.database.as_service() as conn:
        profiles = await summary_schedule.claim_due(
            conn, level, now=now, next_attempt_at=now + _GRACE, limit=resources.settings.jobs_per_run
        )
        for profile in profiles:
            conn.enqueue_on_commit(
                Job(SUMMARIZE_PROFILE_JOB, {**profile.params, "level": level.value}, SUMMARY_PRIORITY)
            )
    return len(profiles)


async def _mark(resources: Resources, periods: Sequence[Period], user_id: UUID | None) -> int:
    """Make the summaries of these periods due, profile by profile; returns how many."""
    marked, after = 0, _FIRST
    while True:
        async with resources.database.as_service() as conn:
            batch = await summary_schedule.mark_periods(
                conn, periods, user_id=user_id, after=after, now=resources.clock.now(), limit=_PROFILES_AT_ONCE
            )
        marked += batch.affected
        if batch.after is None:
            return marked
        after = batch.after
