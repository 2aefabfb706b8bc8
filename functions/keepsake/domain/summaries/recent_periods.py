"""Which stored summaries a first context tells of: backwards, the newest in most detail, and each day once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from keepsake.domain.context.outline import Outline
from keepsake.domain.context.period_texts import PeriodText
from keepsake.domain.context.repeated_statements import leave_out_ended
from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.periods import Level, Period


@dataclass(frozen=True, slots=True)
class StoredPeriod:
    """The summary of a period; ``ended`` are memories in it that were replaced or doubted, and when."""

    period: Period
    texts: Sequence[Outline]
    refs: tuple[SummaryRef, ...]
    generator: str
    ended: Sequence[tuple[str, datetime]] = ()


def periods_backwards(found: Sequence[StoredPeriod], history: ZoneHistory) -> list[PeriodText]:
    """The periods to tell of, given the newest first: the days since the newest week, that week, those since the month,
    the month.

    A week at the turn of a month, and the newest week, may have days in common with the month. What rules wrote of a
    month has the quotes of its weeks, fewer of them: then the weeks are told.
    """
    weeks = [one for one in found if one.period.level is Level.WEEK]
    months = [one for one in found if one.period.level is Level.MONTH and one.generator != "rules"][:1]
    days = [one for one in found if one.period.level is Level.DAY]
    if weeks:
        days = [one for one in days if one.period.first > weeks[0].period.last]
    since = months[0].period.last if months else date.min
    chosen = [*days, *weeks[:1], *(one for one in weeks[1:] if one.period.last > since), *months]
    return [_text_of(one, history) for one in chosen]


def _text_of(one: StoredPeriod, history: ZoneHistory) -> PeriodText:
    is_by_rules, last = one.generator == "rules", one.period.last
    ended = [text for text, ended_at in one.ended if is_by_rules or local_date(history, ended_at) > last]
    day = f"{one.period.first}" if one.period.level is Level.DAY else ""
    texts = [leave_out_ended(text, ended).text for text in one.texts]
    return PeriodText(_title(one.period), texts, one.refs, ended, day, yields=is_by_rules)


def _title(period: Period) -> str:
    match period.level:
        case Level.MONTH:
            return f"{MONTHS[period.first.month - 1]} {period.first.year}"
        case Level.WEEK:
            return f"Week {period.first} to {period.last}"
        case Level.DAY:
            return f"On {period.first}"
