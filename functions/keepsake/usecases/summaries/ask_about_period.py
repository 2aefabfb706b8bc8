"""Has a model write a period; a day in a shared conversation is written for everybody who spoke there, by one call.

Whoever comes first leases the day of the others, so that their jobs do not ask too. A lease ends with the work, and by
itself where the worker dies.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from keepsake.domain.summaries.model_form import build_prompt
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.periods import Level, bounds
from keepsake.domain.summaries.shared_conversation_day import DayOfPerson, build_shared_prompt, split_parts
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import shared_conversation_days, summaries, summary_schedule
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.summaries.ask_model import acquire_slot, ask_for_summary, budget, has_model
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt, is_kept, summarize_period_by_model

_LEASE = timedelta(minutes=10)


@asynccontextmanager
async def ask_about_period(
    resources: Resources, target: ProfilePeriod, *, is_over: bool
) -> AsyncIterator[Mapping[ProfilePeriod, PeriodAttempt | None]]:
    """Ask a model about a period, and about the same day of the people who spoke with this person.

    The block writes the answers. All of these periods are over, or none is. A period that the rules are to write has
    None; where another job asks, there are no periods.
    """
    targets = await lease_shared_day(resources, target, is_over=is_over)
    if len(targets) <= 1:
        yield {one: await summarize_period_by_model(resources, one, is_over=is_over) for one in targets}
        return
    answers = await _ask_about_all(resources, targets)
    yield {one: answers.get(one) for one in targets}
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await shared_conversation_days.release(conn, targets)


async def lease_shared_day(resources: Resources, target: ProfilePeriod, *, is_over: bool) -> Sequence[ProfilePeriod]:
    """The days to ask about in one call: of this person and who spoke with them; none where another job asks."""
    if target.period.level is not Level.DAY or not has_model(resources, Level.DAY):
        return [target]
    now = resources.clock.now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        if await shared_conversation_days.is_leased(conn, target, now=now):
            return []
        span = await _find_bounds(conn, target, now, is_over=is_over)
        found = await shared_conversation_days.companions(conn, target, span) if span else []
        others = [one for one in found if await _find_bounds(conn, one, now, is_over=is_over)]
        if not others:
            return [target]
        leased = await shared_conversation_days.lease(conn, [target, *others], until=now + _LEASE, now=now)
        if not leased or target in leased:
            return leased
        await shared_conversation_days.release(conn, leased)
        return []


async def _ask_about_all(
    resources: Resources, targets: Sequence[ProfilePeriod]
) -> Mapping[ProfilePeriod, PeriodAttempt]:
    """What the model made of the day of each of these people; people without anything to write are left out.

    It is asked only about the days that have changed since it was asked.
    """
    await resources.prepare_reading()
    async with resources.database.as_service() as conn:
        read = {target: await _read(resources, conn, target) for target in targets}
        people = {target: person for target, person in read.items() if person is not None}
        if not people:
            return {}
        first = next(iter(people))
        wait = await summary_schedule.model_wait(conn, first) or ModelWait()
        slot = await acquire_slot(resources, conn, Level.DAY, user_id=first.user_id, wait=wait)
    persons = list(people.values())
    prompt = build_shared_prompt(first.period, persons, budget=budget(resources))
    attempt = await ask_for_summary(resources, slot, prompt, people[first].sources, wait=wait)
    parts = [None] * len(persons) if attempt.content is None else split_parts(persons, attempt.content)
    return {
        target: replace(  # the call is counted with the first
            attempt,
            sources=person.sources,
            content=part,
            slot=attempt.slot if target is first else None,
            prompt=build_prompt(first.period, person.sources, person.author, budget=budget(resources) // len(persons)),
        )
        for (target, person), part in zip(people.items(), parts, strict=True)
    }


async def _read(resources: Resources, conn: Connection, target: ProfilePeriod) -> DayOfPerson | None:
    calendar = await summary_schedule.calendar(conn, target.profile)
    if calendar is None or await summary_schedule.model_wait(conn, target) is None:
        return None
    sources = await summaries.read_sources(conn, target, calendar.history)
    stored = await summaries.read_stored(conn, target)
    if not sources.has_something or is_kept(stored, sources, budget(resources), by_model=True):
        return None
    return DayOfPerson(sources, calendar.author)


async def _find_bounds(
    conn: Connection, target: ProfilePeriod, now: datetime, *, is_over: bool
) -> tuple[datetime, datetime] | None:
    """When the day of a person begins and ends; None where they want no summaries.

    None too where the day is not over (``is_over=True``), or is not the one they are living now (``is_over=False``).
    """
    calendar = await summary_schedule.calendar(conn, target.profile)
    if calendar is None or not calendar.is_enabled:
        return None
    span = bounds(calendar.history, target.period)
    is_expected = span[1] <= now if is_over else span[0] <= now < span[1]
    return span if is_expected else None
