"""Queues the turns that are due or were lost, and runs the queue for a limited time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from keepsake.infra.resources import Resources
from keepsake.store import extractions, turns
from keepsake.store.turns import DueTurn
from keepsake.usecases.chat_send import GRACE, LOOKS_BACK, enqueue_turns
from keepsake.usecases.extract_user_memory import MAX_ATTEMPTS


@dataclass(frozen=True, slots=True)
class DueRun:
    """The counts of one run: turns without a row, turns that were due, dead jobs, and quarantined turns."""

    found: int
    retried: int
    stalled: int
    quarantined: int


async def run_due_jobs(resources: Resources, *, max_seconds: float) -> DueRun:
    """Queue what is due, then run the queue for at most ``max_seconds``; repeating it repeats nothing."""
    now = resources.clock.now()
    stalled = await resources.queue.sweep()
    async with resources.database.as_service() as conn:
        quarantined = await extractions.quarantine_crashed(conn, now=now, max_attempts=MAX_ATTEMPTS)
    retried = await _queue_rows(resources, now)
    found = await _queue_lost(resources, now)
    if resources.embedder is not None:
        async with resources.database.as_service() as conn:
            resources.enqueue_embedding(conn)
    if max_seconds > 0:
        await resources.queue.run_until_idle(max_seconds)
    return DueRun(found, retried, stalled, quarantined)


async def _queue_rows(resources: Resources, now: datetime) -> int:
    """Requeue the turns whose next attempt is due, or whose worker died."""
    async with resources.database.as_service() as conn:
        due = await extractions.claim_due(
            conn, now=now, next_attempt_at=now + GRACE, limit=resources.settings.jobs_per_run
        )
        enqueue_turns(conn, due)
    return len(due)


async def _queue_lost(resources: Resources, now: datetime) -> int:
    """Queue the turns whose webhook delivery was lost."""
    async with resources.database.as_service() as conn:
        lost = await turns.find_due(
            conn, since=now - LOOKS_BACK, until=now - GRACE, limit=resources.settings.jobs_per_run
        )
        pending: list[DueTurn] = [
            turn
            for turn in lost
            if await extractions.ensure_pending(conn, turn, now=now, next_attempt_at=now + GRACE) is not None
        ]
        enqueue_turns(conn, pending)
    return len(pending)
