"""Writes the current day, the history and the merged context of the profiles in which something was said lately.

A profile is due where one of its memories changed, at most once an hour, and when its day changes. One job a profile;
each step is a transaction of its own and changes nothing if it is repeated.
"""

from __future__ import annotations

from datetime import timedelta
from time import monotonic
from uuid import UUID

from keepsake.domain.summaries.local_days import day_start, local_date
from keepsake.domain.summaries.periods import Level, Period
from keepsake.infra.database import Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache, summary_schedule
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.summaries.merge_context import merge_context
from keepsake.usecases.summaries.summarize_open_day import summarize_open_day
from keepsake.usecases.summaries.summary_attempt import latest_retry, wait_after
from keepsake.usecases.summaries.write_six_day_history import write_history_of

REFRESH_CONTEXT_JOB = "refresh_context"
"""The name of the job that writes the merged context of one profile, and what it is merged from."""

_GRACE = timedelta(minutes=10)
"""How long a job may take before its profile is due again."""
_HOUR = timedelta(hours=1)
"""The shortest time between two refreshes because of changes."""
_DAY = timedelta(days=1)


async def queue_due_contexts(resources: Resources, *, max_seconds: float) -> None:
    """Queue a job for each profile that is due, and run the queue until the time is over."""
    until = monotonic() + max_seconds
    limit = resources.settings.jobs_per_run
    while True:
        now = resources.clock.now()
        async with resources.database.as_service() as conn:
            due = await merged_context_cache.claim_due(
                conn, now=now, next_attempt_at=now + _GRACE, not_before=now + _HOUR, limit=limit
            )
            for profile in due:
                conn.enqueue_on_commit(Job(REFRESH_CONTEXT_JOB, profile.params, SUMMARY_PRIORITY))
        if due and monotonic() < until:
            await resources.queue.run_until_idle(until - monotonic())
        if not due or monotonic() >= until:
            return


async def refresh_context(resources: Resources, *, user_id: UUID, profile_id: UUID) -> bool:
    """Write the current day, the history and the merged context; False where nothing may be written."""
    profile, now = ProfileKey(user_id, profile_id), resources.clock.now()
    async with resources.database.as_service() as conn:
        calendar = await summary_schedule.calendar(conn, profile)
        wait = await merged_context_cache.model_wait(conn, profile)
        if calendar is None:
            return False
        if not calendar.is_enabled:
            await merged_context_cache.postpone(conn, profile, due_at=now + _DAY)
            return False
    today = local_date(calendar.history, now)
    day = await summarize_open_day(resources, ProfilePeriod(*profile, Period(Level.DAY, today)))
    history = await write_history_of(resources, profile, today, calendar.author, wait)
    inputs, context = await merge_context(resources, profile, calendar, today, wait)
    retry = latest_retry(day, history, context)
    async with resources.database.as_service() as conn:
        if retry is not None:
            again = wait_after(retry, resources.clock.now())
            await merged_context_cache.wait_for_model(conn, profile, due_at=retry.until, wait=again)
        elif inputs.day or inputs.history:
            await merged_context_cache.postpone(conn, profile, due_at=day_start(calendar.history, today + _DAY))
        else:
            await merged_context_cache.finish(conn, profile)
    return True
