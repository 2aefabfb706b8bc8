"""Gives a candidate the period that its text names, where the model gave none and rules resolved the date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.evidence.written_dates import WrittenDate, find_dates, last_day_after
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Candidate

_SAID_ON = re.compile(r"\(said on [^()]{1,40}\)\Z")
_TO = re.compile(r" ?(?:to|until|till|through|-|–) ?(?:\w{3,6}day )?")


def with_period(candidate: Candidate) -> Candidate:
    """The candidate with the one day, weekend, week or month that its text names with its year, or from which to which.

    Several other dates are no period.
    """
    if candidate.period is not None or not candidate.text:
        return candidate
    text = _SAID_ON.sub("", candidate.text)
    dates = find_dates(text, frozenset({candidate.language[:2], "en"}), is_statement=True)
    period = _period(text, dates)
    return candidate if days_of(period) is None else replace(candidate, period=period)


def _period(text: str, dates: Sequence[WrittenDate]) -> str | None:
    if len(dates) == 2 and _TO.fullmatch(text[dates[0].end : dates[1].start]):
        first, last = dates
        ends = [_iso(replace(first, year=first.year or last.year)), _iso(last)]
        return "/".join(filter(None, ends)) if all(ends) else None
    if len({(one.year, one.month, one.day) for one in dates}) != 1 or (period := _iso(dates[0])) is None:
        return None
    if dates[0].day is None or (days := days_of(period)) is None:
        return period
    end = last_day_after(text[: dates[0].start], days[0])
    return period if end == days[0] else f"{period}/{end}"


def _iso(one: WrittenDate) -> str | None:
    """The day or month of a date; None where it names no year or no month."""
    if one.year is None or one.month is None:
        return None
    return f"{one.year:04}-{one.month:02}" + (f"-{one.day:02}" if one.day else "")
