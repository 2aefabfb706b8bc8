"""Reads the period of a memory: the day, month, year or days that it is about, in ISO 8601."""

from __future__ import annotations

import calendar
import re
from datetime import date

_PART = r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?"
_PERIOD = re.compile(rf"{_PART}(?:/{_PART})?", re.ASCII)


def days_of(period: str | None) -> tuple[date, date] | None:
    """The first and the last day of a period; None where the text is none."""
    match = _PERIOD.fullmatch(period or "")
    if match is None:
        return None
    year, month, day, last_year, last_month, last_day = (int(part) if part else None for part in match.groups())
    try:
        first, last = _days(year or 0, month, day)
        if last_year is not None:
            last = _days(last_year, last_month, last_day)[1]
    except ValueError:
        return None
    return (first, last) if first <= last else None


def _days(year: int, month: int | None, day: int | None) -> tuple[date, date]:
    """The first and the last day; raises ValueError where there is no such day."""
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)
    if day is None:
        return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])
    return date(year, month, day), date(year, month, day)
