"""Writes what the current day of a person has been about so far; when it is over, its summary takes the place."""

from __future__ import annotations

from keepsake.domain.summaries.periods import bounds
from keepsake.infra.database import Profile
from keepsake.infra.dependencies import Resources
from keepsake.store import merged_context_cache, summaries, summary_schedule
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.summaries.ask_model import SummaryAttempt, record_attempt
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt, choose_form, summarize_period_by_model
from keepsake.usecases.summaries.summarize_shared_day_by_model import (
    end_lease,
    lease_shared_day,
    summarize_shared_day_by_model,
)


async def summarize_open_day(resources: Resources, target: ProfilePeriod) -> SummaryAttempt | None:
    """Write the day so far, with a model also that of those who spoke with its person; what came of asking a model."""
    targets = await lease_shared_day(resources, target, is_over=False)
    if len(targets) <= 1:
        answered = await summarize_period_by_model(resources, target, is_over=False) if targets else None
        if targets:
            await _write(resources, target, answered)
        return answered.attempt if answered else None
    answers = await summarize_shared_day_by_model(resources, targets, is_over=False)
    for one in targets:
        if await _write(resources, one, answers.get(one)) and one != target:
            await _mark_context(resources, one)
    await end_lease(resources, targets)
    return answers[target].attempt if target in answers else None


async def _write(resources: Resources, target: ProfilePeriod, answered: PeriodAttempt | None) -> bool:
    """Write the day so far, unless it is over meanwhile; whether it says something else than before."""
    now, written = resources.clock.now(), False
    has_model = resources.model is not None and resources.settings.summary_model(target.period.level) is not None
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, user_id=target.user_id, profile_id=target.profile_id)
        calendar = await summary_schedule.calendar(conn, (target.user_id, target.profile_id))
        if calendar is not None and calendar.is_enabled and now < bounds(calendar.history, target.period)[1]:
            sources = await summaries.read_sources(conn, target, calendar.history, with_texts=has_model)
            if not sources.has_memories:
                await summaries.delete(conn, target)
            elif not (has_model and await summaries.has_day_of_model(conn, target, sources)):
                form = choose_form(target.period.level, sources, answered)
                written = await summaries.write(conn, target, *form, now=now)
        await record_attempt(resources, conn, answered.attempt if answered else None)
    return written


async def _mark_context(resources: Resources, target: ProfilePeriod) -> None:
    """Let the context of a person be merged again, whose day another job has written."""
    async with resources.database.as_service() as conn:
        await merged_context_cache.mark(conn, (target.user_id, target.profile_id), now=resources.clock.now())
