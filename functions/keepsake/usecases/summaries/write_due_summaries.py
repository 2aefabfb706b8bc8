"""Writes the summaries of a profile that are due: one transaction a period, so that a run can be interrupted.

The transaction keeps erasures and other writers of memories out, reads, writes and removes the period from those that
wait. So two workers write one summary, and a worker that dies leaves the period waiting. A model is asked before; what
it wrote is stored if its sources are still the same, else the rules form is, and the period goes on waiting.
"""

from __future__ import annotations

from datetime import timedelta
from time import monotonic
from uuid import UUID

from keepsake.domain.summaries.periods import Level, bounds
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache, summaries, summary_schedule
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import ProfilePeriod
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.add_transits import add_transits
from keepsake.usecases.summaries.ask_about_period import ask_about_period
from keepsake.usecases.summaries.ask_model import budget, has_model
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt, choose_form, is_kept
from keepsake.usecases.summaries.summary_attempt import record_attempts, wait_after

SUMMARIZE_PROFILE_JOB = "summarize_profile"
"""The name of the job that writes the due summaries of one level for one profile."""

_READ_AHEAD = timedelta(days=2)
"""A period that begins later than this from now is over in no time zone."""
_HISTORY = timedelta(days=7)
"""How long after a day the history still contains it."""
_MAX_SECONDS = 480.0
"""How long one job goes on, a slow model between: the profile is due again for another job after ten minutes."""
_WAIT_IF_OFF = timedelta(days=1)
"""How long a person's summaries wait while memory is switched off."""


async def summarize_profile(
    resources: Resources, *, user_id: UUID, profile_id: UUID, level: Level, max_seconds: float = _MAX_SECONDS
) -> int:
    """Write what is due of a level for a profile, until the time is over; returns how many were written or removed."""
    now, until = resources.clock.now(), monotonic() + max_seconds
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        profile = ProfileKey(user_id, profile_id)
        waiting = await summary_schedule.waiting_periods(conn, profile, level, before=(now + _READ_AHEAD).date())
    written = 0
    for target in waiting:
        async with ask_about_period(resources, target, is_over=True) as answers:
            for one, answered in answers.items():
                written += await _write_one(resources, one, answered)
        if monotonic() >= until:
            break
    return written


async def _write_one(resources: Resources, target: ProfilePeriod, answered: PeriodAttempt | None) -> bool:
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        await lock_out_erasure_and_merges(conn, **target.profile.params)
        written = await _store(resources, conn, target, answered)
        await record_attempts(resources, conn, answered)
    return written


async def _store(resources: Resources, conn: Connection, target: ProfilePeriod, answered: PeriodAttempt | None) -> bool:
    """Write the summary of a period that still waits; one that is not over, or of somebody who wants none, waits on."""
    now = resources.clock.now()
    if not await summary_schedule.lock(conn, target):
        return False
    calendar = await summary_schedule.calendar(conn, target.profile)
    if calendar is None:
        return False
    _, end = bounds(calendar.history, target.period)
    if now < end or not calendar.is_enabled:
        await summary_schedule.postpone(conn, target, due_at=max(end, now + _WAIT_IF_OFF * (not calendar.is_enabled)))
        return False
    return await _write(resources, conn, target, calendar, answered)


async def _write(
    resources: Resources, conn: Connection, target: ProfilePeriod, calendar: Calendar, answered: PeriodAttempt | None
) -> bool:
    """Write the summary and let what is made of it be written again; without sources, delete what there was."""
    now, period = resources.clock.now(), target.period
    sources = await summaries.read_sources(conn, target, calendar.history)
    sources = add_transits(sources, calendar, period)
    is_current = answered is None or answered.sources == sources
    stored = await summaries.read_stored(conn, target)
    written = False
    if not sources.has_something:
        written = await summaries.delete(conn, target)
    elif not is_kept(stored, sources, budget(resources), by_model=has_model(resources, period.level)):
        form = choose_form(period.level, sources, answered, budget(resources), calendar.author)
        written = await summaries.write(conn, target, *form, now=now)
    await _finish(resources, conn, target, answered, is_current=is_current or not sources.has_something)
    if written and period.level is Level.DAY and now - bounds(calendar.history, period)[1] < _HISTORY:
        await merged_context_cache.mark(conn, target.profile, now=now)
    if written and period.level is Level.WEEK:
        month = ProfilePeriod(*target.profile, period.month)
        await summary_schedule.mark(conn, month, due_at=max(now, bounds(calendar.history, period.month)[1]))
    return written


async def _finish(
    resources: Resources, conn: Connection, target: ProfilePeriod, answered: PeriodAttempt | None, *, is_current: bool
) -> None:
    """Remove the period from those that wait, unless the model is to be asked again."""
    now, retry = resources.clock.now(), answered.retry if answered else None
    if answered is not None and not is_current:
        await summary_schedule.postpone(conn, target, due_at=now)
    elif retry is not None:
        await summary_schedule.wait_for_model(conn, target, due_at=retry.until, wait=wait_after(retry, now))
    else:
        await summary_schedule.finish(conn, target)
