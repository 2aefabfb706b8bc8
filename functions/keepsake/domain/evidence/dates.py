"""Checks the dates of a statement: each is named by the texts it rests on, or follows from the day of one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from keepsake.domain.evidence.feasts import feast_days
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.language_words import has_time_words, number_names
from keepsake.domain.evidence.text_forms import folded_words
from keepsake.domain.evidence.time_expressions import Days, find_days
from keepsake.domain.evidence.written_dates import WrittenDate, find_dates
from keepsake.domain.text import strip_invisible

_YEAR = timedelta(days=370)
_VAGUE = ("season", "feast")
_ORDINAL_SPAN = timedelta(days=62)
"""How far "the 3rd" may lie from a message that names no month."""
_SPAN_WITHOUT_WORDS = timedelta(days=31)
"""How far a month may lie from a message in whose language nothing was found that says when."""
_DAY_WITHOUT_WORDS = timedelta(days=1)
"""How far a day may lie from it."""
_ORDINAL = re.compile(
    r"(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|\.|º|er)(?!\d)|\b(?:the|el|le|il|den|am|dia|o|a) (\d{1,2})\b", re.IGNORECASE
)
_NEAR = 25
"""Characters between a number and the month that it is of, at most: "20th to the 25th of May"."""
_BREAK = re.compile(r"[.!?]\s|,\s(?!\S*\d)")
_NUMBER = re.compile(r"(?<![\d.,])(\d{1,3})(?![\d.,]*\d)")
_MIN_YEARS = 2
"""Years that an age has at least: what lies a year away is named otherwise."""
_TENS = frozenset({20, 30})
_ROUND = frozenset({1, 28, 29, 30, 31})
"""Days that begin or end a month: "the end of next month" may be one."""


def unsupported_dates(statement: str, grounds: Grounds) -> list[str]:
    """The dates of a statement, as it writes them, that neither stand in the grounds nor follow from their days.

    A date follows from a weekday, "yesterday", "last month", "in two weeks", "the 3rd", an age or "this year", in the
    languages of the word lists; in others every date of a year around is believed. Figures that can be read as two
    dates ("3/4/2026") need one of them.
    """
    shown = strip_invisible(statement)
    readings: dict[tuple[int, int], list[WrittenDate]] = {}
    for one in find_dates(statement, grounds.languages, is_statement=True):
        readings.setdefault((one.start, one.end), []).append(one)
    return [
        shown[start:end].strip()
        for (start, end), dates in readings.items()
        if not any(_supports(said, one, grounds) for one in dates for said in grounds.said)
    ]


def blank_dates(statement: str, languages: frozenset[str]) -> str:
    """The statement with its dates replaced by blanks, so that their figures are no numbers."""
    shown = strip_invisible(statement)
    for one in find_dates(statement, languages, is_statement=True):
        shown = shown[: one.start] + " " * (one.end - one.start) + shown[one.end :]
    return shown


def _supports(said: Said, wanted: WrittenDate, grounds: Grounds) -> bool:
    written = _dates_of(said.text, grounds.languages)
    if any(_names(one, wanted, said.on) for one in written):
        return True
    return said.on is not None and _Day(said.text, said.on, grounds, written, _days_of(said, grounds.languages)).gives(
        wanted
    )


def _names(one: WrittenDate, wanted: WrittenDate, on: date | None) -> bool:
    """Whether a date that was named is the wanted one, as far as it says; a day is never added to a month."""
    if wanted.month is None:
        return one.year == wanted.year
    if one.month != wanted.month or (wanted.day is not None and one.day != wanted.day):
        return False
    if wanted.year is None or one.year is not None:
        return one.year == wanted.year or wanted.year is None
    if on is None:
        return True
    period = wanted.nearest_to(on)
    return period is not None and abs(period[0] - on) <= _YEAR


@dataclass(frozen=True, slots=True)
class _Day:
    """A text with the day on which it was said, and what it says about time."""

    text: str
    on: date
    grounds: Grounds
    written: Sequence[WrittenDate]
    days: Sequence[Days]

    def gives(self, wanted: WrittenDate) -> bool:
        """Whether a date follows."""
        if wanted.month is None:
            return wanted.year is not None and self._gives_year(wanted.year)
        if wanted.day is None and wanted.year is not None and any(one.month == wanted.month for one in self.written):
            return any(one.unit == "year" and one.first.year <= wanted.year <= one.last.year for one in self.days)
        period = wanted.nearest_to(self.on)
        if period is None:
            return False
        return (
            any(_covers(one, period, wanted) for one in self.days)
            or (wanted.day is not None and self._names_day(period[0]))
            or self._is_today(period)
            or self._gives_birthday(wanted)
            or self._is_feast(period)
        )

    def _is_feast(self, period: tuple[date, date]) -> bool:
        """Whether a feast is named, and the day is one of a feast within a year ("by easter")."""
        is_near = period[0] == period[1] and abs(period[0] - self.on) <= _YEAR
        is_named = is_near and any(one.unit == "feast" for one in self.days)
        return is_named and period[0] in feast_days(period[0].year)

    def _gives_birthday(self, wanted: WrittenDate) -> bool:
        """Whether a day is so many years before one that the text names ("turned 30 yesterday")."""
        if wanted.day is None or wanted.year is None:
            return False
        birthdays = (replace(wanted, year=wanted.year + age) for age in self._numbers() if age >= _MIN_YEARS)
        found = (one.nearest_to(self.on) for one in birthdays)
        return any(_covers(days, period, wanted) for period in found if period for days in self.days)

    def _numbers(self) -> set[int]:
        return {int(number) for number in _NUMBER.findall(strip_invisible(self.text))} - {0}

    def _gives_year(self, year: int) -> bool:
        """Whether a year follows; an age leads to the year of birth."""
        if any(one.year is None for one in self.written) and abs(year - self.on.year) <= 1:
            return True
        if any(one.first.year <= year <= one.last.year for one in self.days if one.unit not in _VAGUE):
            return True
        if any(one.unit in _VAGUE for one in self.days) and abs(year - self.on.year) <= 1:
            return True
        if {self.on.year - year, self.on.year - year - 1} & self._numbers():
            return True
        return year == self.on.year and not any(one.unit == "year" for one in self.days)

    def _names_day(self, day: date) -> bool:
        """Whether the day of a month is named without the month ("on the 3rd", "20th to the 25th of May")."""
        shown = strip_invisible(self.text)
        for match in _ORDINAL.finditer(shown):
            between = ((shown[min(one.end, match.end()) : max(one.start, match.start())], one) for one in self.written)
            months = {
                one.month for text, one in between if one.month and len(text) <= _NEAR and not _BREAK.search(text)
            }
            is_near = day.month in months if months else abs(day - self.on) <= _ORDINAL_SPAN
            if int(match[1] or match[2]) == day.day and is_near:
                return True
        return abs(day - self.on) <= _ORDINAL_SPAN and day.day in _ordinals_in_words(shown, self.grounds.languages)

    def _is_today(self, period: tuple[date, date]) -> bool:
        """Whether the day of the text itself is meant, because it says nothing else about time."""
        if self.written or any(one.unit == "day" and not one.is_distance for one in self.days):
            return False
        if period[0] <= self.on <= period[1]:
            return True
        if self.days or self.grounds.code == "en":
            return False
        if not has_time_words(self.grounds.code):
            return abs(period[0] - self.on) <= _YEAR
        is_day = period[0] == period[1]
        return abs(period[0] - self.on) <= (_DAY_WITHOUT_WORDS if is_day else _SPAN_WITHOUT_WORDS)


def _covers(days: Days, period: tuple[date, date], wanted: WrittenDate) -> bool:
    """Whether the days of an expression give the wanted day, or overlap with the wanted month."""
    if wanted.day is None:
        return days.unit != "year" and days.first <= period[1] and period[0] <= days.last
    if not days.first <= period[0] <= days.last:
        return False
    return days.unit == "day" or (days.unit == "month" and period[0].day in _ROUND)


def _ordinals_in_words(text: str, languages: frozenset[str]) -> frozenset[int]:
    """The ordinals that a text has in words, those of two words too: "the twenty second"."""
    said, tens, ordinals = folded_words(text), number_names(languages, "c"), number_names(languages, "o")
    before = (tens.get(word, 0) for word in ("", *said))
    found = ((ten if ten in _TENS else 0, ordinals.get(word)) for ten, word in zip(before, said, strict=False))
    return frozenset(ten + ordinal for ten, ordinal in found if ordinal is not None)


@lru_cache(maxsize=256)
def _dates_of(text: str, languages: frozenset[str]) -> list[WrittenDate]:
    return find_dates(text, languages, is_statement=False)


@lru_cache(maxsize=256)
def _days_of(said: Said, languages: frozenset[str]) -> list[Days]:
    return find_days(said, languages)
