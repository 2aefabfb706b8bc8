"""Turns what a text says about time ("last week", "on friday", "vor drei Tagen") into the days that it may mean."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from keepsake.domain.evidence.grounds import Said
from keepsake.domain.evidence.language_words import calendar_names, number_names, time_words
from keepsake.domain.evidence.text_forms import folded_words, has_no_spaces

_DAYS = {"before": -1, "after": 1, "before2": -2, "after2": 2}
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_TOLERANCE = {"day": 1, "week": 6, "fortnight": 3, "month": 16, "year": 45}
"""Days by which a number of units may miss the day: "two weeks ago" is no exact day."""
_WINDOW = 4
"""Words between a unit of time and the number or direction that belongs to it."""
_PIECE_WINDOW = 6
_WEEKDAY_SPAN = 13
"""Days between a message and a weekday that it names."""
_SOME = range(2, 7)
_UNITS = frozenset({"day", "week", "fortnight", "month", "year", "weekend"})


@dataclass(frozen=True, slots=True)
class Days:
    """The days that an expression may mean, and the unit that it is exact to."""

    first: date
    last: date
    unit: str
    is_distance: bool = False
    """Whether it is a number of days, which may be no moment at all ("two days early")."""


def find_days(said: Said, languages: frozenset[str]) -> list[Days]:
    """What the expressions of a text mean, seen from the day on which it was said."""
    if said.on is None:
        return []
    found = sorted({*time_words(languages).occurrences(said.text), *calendar_names(languages).occurrences(said.text)})
    if any(kind == "weekday" for _, (kind, _) in found):
        found = [one for one in found if one[1][0] not in {"week", "weekend"}]
    places = _Places(said.text, found, languages)
    return [days for index, (kind, number) in found for days in _days(places, index, kind, number, said.on)]


class _Places:
    """The words around an expression: numbers, and on which side of the day it lies."""

    def __init__(self, text: str, found: list[tuple[int, tuple[str, str]]], languages: frozenset[str]) -> None:
        self._words = folded_words(text)
        self._window = _PIECE_WINDOW if has_no_spaces(text) else _WINDOW
        self._text = text
        self._found = found
        self._names = number_names(languages)

    def directions(self, index: int) -> set[int]:
        """-1 for the past, 1 for the future; both or none where nobody can tell."""
        near = {kind for place, (kind, _) in self._found if abs(place - index) <= self._window}
        return {side for kind, side in (("past", -1), ("future", 1)) if kind in near} or {-1, 1}

    def counts(self, index: int) -> set[int]:
        """The numbers near a unit."""
        if has_no_spaces(self._text):
            near = self._text[max(0, index - self._window) : index]
            return {int(part) for part in _digits(near)} | {n for name, n in self._names.items() if name in near}
        words = self._words[max(0, index - self._window) : index + 2]
        numbers = {int(part) for word in words for part in _digits(word)}
        numbers |= {self._names[word] for word in words if word in self._names}
        some = {kind for place, (kind, _) in self._found if -self._window <= place - index < 0}
        return numbers | (set(_SOME) if "some" in some else set())


def _digits(word: str) -> Iterator[str]:
    current = ""
    for character in f"{word} ":
        if character.isascii() and character.isdigit():
            current += character
        elif current:
            if len(current) <= 3:
                yield current
            current = ""


def _days(places: _Places, index: int, kind: str, number: str, on: date) -> Iterator[Days]:
    if kind == "today":
        yield Days(on, on, "day")
    elif kind in _DAYS:
        day = on + timedelta(days=_DAYS[kind])
        yield Days(day, day, "day")
    elif kind == "weekday":
        yield from _weekdays(places, index, int(number), on)
    elif kind in ("season", "feast"):
        yield Days(on - timedelta(days=366), on + timedelta(days=366), kind)
    elif kind in _UNITS and not number:  # a named month is a date
        yield from _unit(places, index, kind, on)


def _weekdays(places: _Places, index: int, weekday: int, on: date) -> Iterator[Days]:
    span = max([_WEEKDAY_SPAN, *(7 * count + 7 for count in places.counts(index) if count <= 5)])
    for offset in range(-span, span + 1):
        day = on + timedelta(days=offset)
        if day.weekday() == weekday and (abs(offset) <= _WEEKDAY_SPAN or places.directions(index)):
            yield Days(day, day, "day")


def _unit(places: _Places, index: int, unit: str, on: date) -> Iterator[Days]:
    sides = places.directions(index)
    if unit in _DAYS_OF:
        for count in places.counts(index) or ({1} if unit == "fortnight" else set()):
            for side in sides:
                try:
                    middle = _shift(on, unit, side * count)
                except (ValueError, OverflowError):
                    continue
                span = timedelta(days=_TOLERANCE[unit])
                exact = "day" if unit in {"day", "week", "fortnight"} else unit
                yield Days(middle - span, middle + span, exact, is_distance=unit == "day")
    for offset in sorted({0, *sides} if len(sides) > 1 else sides):
        yield from _calendar_unit(unit, offset, on)


def _shift(on: date, unit: str, count: int) -> date:
    if unit == "year":
        return on.replace(year=on.year + count, day=min(on.day, 28))
    return on + timedelta(days=_DAYS_OF[unit] * count)


def _calendar_unit(unit: str, offset: int, on: date) -> Iterator[Days]:
    """This, the last or the next week, weekend, month or year."""
    if unit in {"week", "weekend"}:
        monday = on - timedelta(days=on.weekday()) + timedelta(days=7 * offset)
        first = monday + timedelta(days=4 if unit == "weekend" else -1)
        yield Days(first, monday + timedelta(days=6), "day")
    elif unit == "month":
        year, month = divmod(on.year * 12 + on.month - 1 + offset, 12)
        last = calendar.monthrange(year, month + 1)[1]
        yield Days(date(year, month + 1, 1), date(year, month + 1, last), "month")
    elif unit == "year":
        yield Days(date(on.year + offset, 1, 1), date(on.year + offset, 12, 31), "year")
