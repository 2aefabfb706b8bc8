"""Writes what the current day of a person has been about so far; when it is over, its summary takes the place."""

from __future__ import annotations

from dataclasses import dataclass

from keepsake.domain.summaries.model_form import build_prompt
from keepsake.domain.summaries.periods import bounds
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.sources import SummarySources
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache, shared_conversation_days, summaries, summary_schedule
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.summaries import ProfilePeriod
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.ask_about_period import ask_about_period
from keepsake.usecases.summaries.ask_model import budget, has_model
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt, choose_form, is_kept
from keepsake.usecases.summaries.summary_attempt import record_attempts


@dataclass(frozen=True, slots=True)
class DayRequest:
    """What a model is to be asked about the day so far."""

    target: ProfilePeriod
    sources: SummarySources
    prompt: SummaryPrompt


async def find_open_day(
    resources: Resources, conn: Connection, target: ProfilePeriod, calendar: Calendar
) -> DayRequest | None:
    """What a model is to be asked about the day so far, if it is not written and nobody else's is written with it."""
    span = bounds(calendar.history, target.period)
    if not (calendar.is_enabled and span[0] <= resources.clock.now() < span[1]):
        return None
    if await shared_conversation_days.companions(conn, target, span):
        return None
    sources = await summaries.read_sources(conn, target, calendar.history)
    stored = await summaries.read_stored(conn, target)
    if not sources.messages or is_kept(stored, sources, budget(resources), by_model=True):
        return None
    prompt = build_prompt(target.period, sources, calendar.author, budget=budget(resources))
    return DayRequest(target, sources, prompt)


async def summarize_open_day(resources: Resources, target: ProfilePeriod) -> PeriodAttempt | None:
    """Write the day so far, with a model also for those who spoke with this person; returns the model's attempt."""
    async with ask_about_period(resources, target, is_over=False) as answers:
        for one, answered in answers.items():
            is_changed = await write_open_day(resources, one, answered)
            if is_changed and one != target:  # let the context of that person be merged again
                async with resources.database.as_service() as conn:
                    await merged_context_cache.mark(conn, one.profile, now=resources.clock.now())
    return answers.get(target)


async def write_open_day(resources: Resources, target: ProfilePeriod, answered: PeriodAttempt | None) -> bool:
    """Write the day so far, unless it is over meanwhile; returns whether it says something else than before."""
    now, by_model, written = resources.clock.now(), has_model(resources, target.period.level), False
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, **target.profile.params)
        calendar = await summary_schedule.calendar(conn, target.profile)
        if calendar is not None and calendar.is_enabled and now < bounds(calendar.history, target.period)[1]:
            sources = await summaries.read_sources(conn, target, calendar.history)
            stored = await summaries.read_stored(conn, target)
            if not sources.has_something:
                await summaries.delete(conn, target)
            elif not is_kept(stored, sources, budget(resources), by_model=by_model):
                form = choose_form(target.period.level, sources, answered, budget(resources), calendar.author)
                written = await summaries.write(conn, target, *form, now=now)
        await record_attempts(resources, conn, answered)
    return written
