"""Finds the days of the feasts that people name instead of a date: Easter, Christmas and the turn of the year."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

_FIXED = ((1, 1), (1, 6), (1, 7), (10, 31), (12, 6), (12, 24), (12, 25), (12, 26), (12, 31))
"""Month and day of those that have the same each year."""
_AROUND_EASTER = range(-3, 2)
"""Thursday before to Monday after."""


@lru_cache(maxsize=16)
def feast_days(year: int) -> frozenset[date]:
    """The days of a year on which one of these feasts may be."""
    easters = (_easter(year), _orthodox_easter(year))
    moving = {easter + timedelta(days=offset) for easter in easters for offset in _AROUND_EASTER}
    return frozenset({*moving, *(date(year, *day) for day in _FIXED)})


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the rule that Meeus gives for every year."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    skipped, sun = divmod(century, 4)
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - moon + 15) % 30
    weekday = (32 + 2 * sun + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _orthodox_easter(year: int) -> date:
    """Easter Sunday of the Julian calendar, as the Gregorian one writes it in the years 1900 to 2099."""
    epact = (19 * (year % 19) + 15) % 30
    weekday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
    month, day = divmod(epact + weekday + 114, 31)
    return date(year, month, day + 1) + timedelta(days=13)
