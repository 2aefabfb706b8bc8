"""Queues the turns that are due or were lost, and runs the queue for a limited time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic

from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import chat_copies, conversation_summaries, extractions, turns
from keepsake.store.turns import LATE_TURNS, LOST_TURNS, DueTurn
from keepsake.usecases.chat_send import GRACE, LOOKS_BACK, enqueue_turns
from keepsake.usecases.run_model_trial import queue_due_trial
from keepsake.usecases.sessions.queue_due import queue_due_sessions
from keepsake.usecases.summaries.queue_conversations import enqueue_conversation
from keepsake.usecases.turns.claimed_turn import MAX_ATTEMPTS

_LATEST = timedelta(hours=1)
"""How much later than its date a message may be committed and still be found."""
_PERIOD = timedelta(hours=1)
_MAX_READ_AGAIN = 1_000
"""Messages before the watermark that each run looks at again, because they may have been stored after their date."""
_MAX_MARKS = 10_000
"""Marks of conversations that one run takes."""
_MAX_SEARCH_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class DueRun:
    """The counts of one run: turns without a row, turns that were due, dead jobs, and quarantined turns."""

    found: int
    retried: int
    stalled: int
    quarantined: int


async def run_due_jobs(resources: Resources, *, max_seconds: float) -> DueRun:
    """Queue what is due, then run the queue for at most ``max_seconds``; repeating it repeats nothing."""
    now = await resources.synchronized_now()
    stalled = await resources.queue.sweep()
    async with resources.database.as_service() as conn:
        quarantined = await extractions.quarantine_crashed(conn, now=now, max_attempts=MAX_ATTEMPTS)
    async with resources.database.as_service() as conn:
        await chat_copies.repair_copies(conn, limit=resources.settings.jobs_per_run)
    retried = await _queue_rows(resources, now)
    found = await _queue_lost(resources, now)
    await queue_due_sessions(resources, now)
    await _queue_conversations(resources, now)
    await queue_due_trial(resources)
    if resources.embedder is not None:
        async with resources.database.as_service() as conn:
            resources.enqueue_embedding(conn)
    if max_seconds > 0:
        await resources.queue.run_until_idle(max_seconds)
    return DueRun(found, retried, stalled, quarantined)


async def _queue_rows(resources: Resources, now: datetime) -> int:
    """Requeue the turns whose next attempt is due, or whose worker died."""
    limit = resources.settings.jobs_per_run
    limit -= await resources.queue.count_waiting(limit)  # what stands in the queue is not queued again and again
    if limit <= 0:
        return 0
    async with resources.database.as_service() as conn:
        due = await extractions.claim_due(conn, now=now, next_attempt_at=now + GRACE, limit=limit)
        enqueue_turns(conn, due)
    return len(due)


async def _queue_conversations(resources: Resources, now: datetime) -> None:
    """Requeue the conversations whose summary is due."""
    async with resources.database.as_service() as conn:
        await conversation_summaries.fold_marks(conn, now=now, limit=_MAX_MARKS)
    async with resources.database.as_service() as conn:
        due = await conversation_summaries.claim_due(
            conn, now=now, next_attempt_at=now + GRACE, limit=resources.settings.jobs_per_run
        )
        for conversation_id in due:
            enqueue_conversation(conn, conversation_id)


async def _queue_lost(resources: Resources, now: datetime) -> int:
    """Queue the turns whose webhook delivery was lost.

    Each message is looked at when its grace is over, and when none of its age can be committed any more; the newest
    are looked at in between, too. So a run costs what came since the last one, and a bounded number more.
    """
    found = await _search(resources, now, LOST_TURNS, until=now - GRACE, start=now - LOOKS_BACK, again=_MAX_READ_AGAIN)
    return found + await _search(resources, now, LATE_TURNS, until=now - _LATEST, start=now - _LATEST)


async def _search(
    resources: Resources, now: datetime, name: str, *, until: datetime, start: datetime, again: int = 0
) -> int:
    """Search in periods of bounded length, from where the last run ended, or ``again`` messages before it."""
    found, started = 0, monotonic()
    while found < resources.settings.jobs_per_run and monotonic() - started < _MAX_SEARCH_SECONDS:
        async with resources.database.as_service() as conn:
            ended = await turns.read_watermark(conn, name)
            since = reached = max(now - LOOKS_BACK, ended or start)
            if again and ended:
                since = await turns.read_again_from(conn, earliest=reached - _LATEST, reached=reached, limit=again)
                again = 0
            end = min(until, max(reached, await turns.next_message_at(conn, since) or until) + _PERIOD)
            found += await _queue_lost_between(resources, conn, name, now, since=since, until=end)
        if end >= until:
            break
    return found


async def _queue_lost_between(
    resources: Resources, conn: Connection, name: str, now: datetime, *, since: datetime, until: datetime
) -> int:
    limit = resources.settings.jobs_per_run
    lost = await turns.find_due(conn, since=since, until=until, limit=limit)
    pending: list[DueTurn] = [
        turn
        for turn in lost
        if await extractions.ensure_pending(conn, turn, now=now, next_attempt_at=now + GRACE) is not None
    ]
    if len(lost) < limit:  # else this period has more, which the next search finds
        await turns.move_watermark(conn, name, until)
    enqueue_turns(conn, pending)
    return len(pending)
