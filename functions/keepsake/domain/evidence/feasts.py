"""Finds the days of the feasts that people name instead of a date, such as Easter or Halloween."""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

_FIXED = ((1, 1), (1, 6), (1, 7), (10, 31), (12, 6), (12, 24), (12, 25), (12, 26), (12, 31))
"""Month and day of those that have the same each year."""
_AROUND_EASTER = range(-3, 2)
"""Thursday before to Monday after."""


@lru_cache(maxsize=16)
def feast_days(year: int) -> frozenset[date]:
    """The days of a year on which one of these feasts may be."""
    easters = (easter(year, EASTER_WESTERN), easter(year, EASTER_ORTHODOX))
    moving = {sunday + timedelta(days=offset) for sunday in easters for offset in _AROUND_EASTER}
    return frozenset({*moving, *(date(year, *day) for day in _FIXED)})
