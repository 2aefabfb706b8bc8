"""Compares a month with the same month of the year before, from the stored monthly summaries alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from keepsake.domain.summaries.compared_month import MonthInYear, MonthMemory
from keepsake.domain.summaries.comparison import (
    Comparison,
    build_comparison_prompt,
    compare_months,
    comparison_of,
    without_repeated,
)
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.errors import NotFound
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store import participant_choices, summary_schedule, yearly_comparisons
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import Authorship
from keepsake.usecases.summaries.ask_model import ask_about, has_model
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, record_attempts

Months = tuple[MonthInYear, MonthInYear]
"""The earlier and the later one."""

_MEMORIES = 5
"""Memories shown behind each month."""
_MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class MissingMonth:
    """A month without a stored summary, and the call that writes it if anything was remembered in it."""

    year: int
    month: int
    backfill: str


@dataclass(frozen=True, slots=True)
class ComparedMonth:
    """One of the two months: its themes, and the memories behind it."""

    year: int
    month: int
    themes: Sequence[str]
    memories: Sequence[MonthMemory]


@dataclass(frozen=True, slots=True)
class YearlyComparison:
    """The comparison, or what is missing for one."""

    status: Literal["compared", "insufficient_history"]
    year: int | None
    month: int | None
    generator: str | None = None
    comparison: Comparison | None = None
    earlier: ComparedMonth | None = None
    later: ComparedMonth | None = None
    missing: Sequence[MissingMonth] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MonthChoice:
    """The month to compare; None is the newest stored one."""

    year: int
    month: int


async def compare_yearly_patterns(
    resources: Resources, *, user_id: UUID, choice: MonthChoice | None = None
) -> YearlyComparison:
    """The comparison under the person's primary profile; NotFound where they have none. It is made once."""
    async with resources.database.as_service() as conn:
        profile_id = await participant_choices.primary_profile(conn, user_id=user_id)
        if profile_id is None:
            raise NotFound("There is no primary profile.")
        profile = ProfileKey(user_id, profile_id)
        newest = await yearly_comparisons.newest_month(conn, profile) if choice is None else None
    chosen = MonthChoice(*newest) if newest else choice
    if chosen is None:
        return YearlyComparison("insufficient_history", None, None)
    for _ in range(_MAX_TRIES):
        found = await _compare(resources, profile, chosen)
        if found is not None:
            return found
    raise NotFound("The summaries of these months are being written.")


async def _compare(resources: Resources, profile: ProfileKey, chosen: MonthChoice) -> YearlyComparison | None:
    """The comparison as it is stored, or made now; None where a summary changed meanwhile."""
    years = (chosen.year - 1, chosen.year)
    async with resources.database.as_service() as conn:
        months = await yearly_comparisons.read_months(conn, profile, month=chosen.month, years=years)
        if len(months) < len(years):
            return _insufficient(profile, chosen, {month.year for month in months})
        earlier, later = months
        stored = await yearly_comparisons.read_stored(conn, profile, earlier, later)
    is_final = stored is not None and (stored[1].generator == "llm" or stored[1].prompt_version == VERSION)
    if stored is None or (has_model(resources, "year") and not is_final):
        attempt = await _ask(resources, profile, (earlier, later)) if has_model(resources, "year") else None
        stored = await _store(resources, profile, (earlier, later), attempt)
    if stored is None:
        return None
    comparison, authorship = stored
    return YearlyComparison(
        "compared",
        chosen.year,
        chosen.month,
        authorship.generator,
        comparison,
        earlier=_shown(earlier),
        later=_shown(later),
    )


async def _ask(resources: Resources, profile: ProfileKey, months: Months) -> SummaryAttempt[Months] | None:
    """What the model makes of the two months; None without a model."""
    async with resources.database.as_service() as conn:
        calendar = await summary_schedule.calendar(conn, profile)
    prompt = build_comparison_prompt(*months, calendar.author if calendar else None)
    return await ask_about(resources, "year", prompt, months, user_id=profile.user_id, wait=ModelWait())


async def _store(
    resources: Resources, profile: ProfileKey, months: Months, attempt: SummaryAttempt[Months] | None
) -> tuple[Comparison, Authorship] | None:
    """Store what the model or the rules made of two months; None where one of them changed meanwhile.

    Where the model answered without a comparison, the form of the rules keeps the version of the prompt, so that it is
    not asked again.
    """
    is_answered = attempt is not None and attempt.cost.calls > 0 and attempt.retry is None
    comparison, authorship = compare_months(*months), Authorship("rules", VERSION if is_answered else None)
    if attempt is not None and attempt.content is not None:
        comparison, authorship = without_repeated(comparison_of(attempt.content)), Authorship("llm", VERSION)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, **profile.params)
        years = [month.year for month in months]
        read = await yearly_comparisons.read_months(conn, profile, month=months[0].month, years=years)
        now = resources.clock.now()
        written = read == list(months) and await yearly_comparisons.write(
            conn, profile, months, comparison, authorship, now=now
        )
        await record_attempts(resources, conn, attempt)
    return (comparison, authorship) if written else None


def _shown(month: MonthInYear) -> ComparedMonth:
    return ComparedMonth(month.year, month.month, month.key_themes, month.memories[:_MEMORIES])


def _insufficient(profile: ProfileKey, chosen: MonthChoice, years: set[int]) -> YearlyComparison:
    missing = [
        MissingMonth(
            year,
            chosen.month,
            "POST /functions/v1/generate-monthly-summaries"
            f"?action=backfill&year={year}&month={chosen.month}&user_id={profile.user_id}",
        )
        for year in (chosen.year - 1, chosen.year)
        if year not in years
    ]
    return YearlyComparison("insufficient_history", chosen.year, chosen.month, missing=missing)
