"""Has a model write a day of everybody who spoke in a shared conversation: one call, of which each gets their part.

Whoever comes first leases the day of the others, so that their jobs do not ask too. A lease ends with the work, and by
itself where the worker dies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.periods import Level, bounds
from keepsake.domain.summaries.prompt import texts_in
from keepsake.domain.summaries.shared_conversation_day import DayOfPerson, build_shared_prompt, split_parts
from keepsake.infra.database import Connection, Profile
from keepsake.infra.dependencies import Resources
from keepsake.store import shared_conversation_days, summaries, summary_schedule
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.summaries.ask_model import SummaryAttempt, acquire_summary_slot, ask_for_summary
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt

_LEASE = timedelta(minutes=10)


async def lease_shared_day(
    resources: Resources, target: ProfilePeriod, *, is_over: bool = True
) -> Sequence[ProfilePeriod]:
    """The days to ask about in one call: this one, and those of who spoke with its person; none if another job asks.

    All of them are over, or, with ``is_over=False``, none of them is.
    """
    if target.period.level is not Level.DAY or resources.model is None or not resources.settings.summary_model("day"):
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


async def end_lease(resources: Resources, targets: Sequence[ProfilePeriod]) -> None:
    """Let the days that still wait be asked about by any job."""
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await shared_conversation_days.release(conn, targets)


async def summarize_shared_day_by_model(
    resources: Resources, targets: Sequence[ProfilePeriod], *, is_over: bool = True
) -> Mapping[ProfilePeriod, PeriodAttempt]:
    """What the model made of the day of each of these people; people without anything to write are left out.

    Of days that are not over (``is_over=False``) it is asked only about those that have changed since it was asked.
    """
    model = resources.settings.summary_model("day")
    await resources.prepare_reading()
    async with resources.database.as_service() as conn:
        read = {target: await _read(conn, target, is_over=is_over) for target in targets}
        people = {target: person for target, person in read.items() if person is not None}
        if not people or model is None:
            return {}
        first = next(iter(people))
        wait = await summary_schedule.model_wait(conn, first) or ModelWait()
        slot = await acquire_summary_slot(
            resources, conn, model=model, user_id=first.user_id, wait=wait, now=resources.clock.now()
        )
    if isinstance(slot, SummaryAttempt):
        return {target: PeriodAttempt(person.sources, slot) for target, person in people.items()}
    prompt = build_shared_prompt(first.period, list(people.values()))
    attempt = await ask_for_summary(resources, slot, prompt, Evidence(texts_in(prompt.data)), wait)
    return _split(people, attempt)


def _split(people: Mapping[ProfilePeriod, DayOfPerson], attempt: SummaryAttempt) -> dict[ProfilePeriod, PeriodAttempt]:
    """The attempt of each person; the call is counted with the first."""
    persons, period = list(people.values()), next(iter(people)).period
    parts = [None] * len(persons) if attempt.content is None else split_parts(period, persons, attempt.content)
    return {
        target: PeriodAttempt(person.sources, replace(attempt, content=part, slot=None if number else attempt.slot))
        for number, ((target, person), part) in enumerate(zip(people.items(), parts, strict=True))
    }


async def _read(conn: Connection, target: ProfilePeriod, *, is_over: bool) -> DayOfPerson | None:
    calendar = await summary_schedule.calendar(conn, (target.user_id, target.profile_id))
    if calendar is None or await summary_schedule.model_wait(conn, target) is None:
        return None
    sources = await summaries.read_sources(conn, target, calendar.history, with_texts=True)
    if not sources.has_memories or (not is_over and await summaries.has_day_of_model(conn, target, sources)):
        return None
    return DayOfPerson(sources, calendar.shown_name)


async def _find_bounds(
    conn: Connection, target: ProfilePeriod, now: datetime, *, is_over: bool
) -> tuple[datetime, datetime] | None:
    """When the day of a person begins and ends; None where they want no summaries.

    None too where the day is not over (``is_over=True``), or is not the one they are living now (``is_over=False``).
    """
    calendar = await summary_schedule.calendar(conn, (target.user_id, target.profile_id))
    if calendar is None or not calendar.is_enabled:
        return None
    span = bounds(calendar.history, target.period)
    is_expected = span[1] <= now if is_over else span[0] <= now < span[1]
    return span if is_expected else None
