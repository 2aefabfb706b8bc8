"""Finds the dates that a text names: in figures, with the name of a month, or a year alone; and the last of them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from keepsake.domain.evidence.language_words import calendar_names, month_names
from keepsake.domain.evidence.text_forms import fold
from keepsake.domain.text import strip_invisible

_ISO = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?(?![\d-])")
_FIGURES = re.compile(r"(?<![\d.,/])(?P<first>\d{1,2})[./](?P<second>\d{1,2})[./](?P<year>\d{4}|\d{2})(?![\d/])")
_CHARACTERS = re.compile(
    r"(?:(?P<year>\d{4})\s?[年년]\s?)?(?P<month>\d{1,2})\s?[月월](?:\s?(?P<day>\d{1,2})\s?[日号일])?|(?P<only>\d{4})\s?[年년]"
)
_YEAR = re.compile(r"(?<![\d.,:-])(?P<year>(?:19|20)\d{2})(?![\d:-]|[.,]\d)|(?<!\w)'(?P<short>\d{2})(?!\d)")
_ORDINAL = r"(?:st|nd|rd|th|\.|º|er|e)?"
_AMBIGUOUS = frozenset({"may", "march", "mar", "sat", "sun", "mon", "wed", "dec", "set", "mai", "mars", "ago", "jul"})
"""Names of months that are other words too: in a statement only with a capital letter or a number."""
_FIRST_YEAR_OF_CENTURY = 50
_NAMED_DAYS = {
    "christmas": (12, 26), "xmas": (12, 26), "new year": (1, 1), "halloween": (10, 31), "valentine": (2, 14),
    "spring": (5, 31), "summer": (8, 31), "autumn": (11, 30), "fall": (11, 30), "winter": (2, 28),
}  # fmt: skip
"""Holidays, and seasons of the northern hemisphere with their last day."""
_WHEN = r"\b(?:for|at|in|on|by|over|of|until|till|around|before|after|during|this|next|early|late|mid)"
_NAMED_DAY = re.compile(rf"{_WHEN} (?:the )?(?P<name>{'|'.join(_NAMED_DAYS)})\b", re.IGNORECASE)
_BEFORE_MONTH = re.compile(rf"{_WHEN} $", re.IGNORECASE)
"""Behind these a month or a year without a day says when something is."""
_DAYS_AFTER = (("weekend of ", 1), ("week of ", 6))


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date as a text names it: what is None is not said; ``start`` and ``end`` are its place in the text."""

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None

    def period(self, year: int) -> tuple[date, date] | None:
        """The first and the last day of it in a year; None where there is no such day."""
        try:
            if self.month is None:
                return date(year, 1, 1), date(year, 12, 31)
            if self.day is None:
                return date(year, self.month, 1), date(year, self.month, calendar.monthrange(year, self.month)[1])
            return (day := date(year, self.month, self.day)), day
        except ValueError:
            return None

    def nearest_to(self, day: date) -> tuple[date, date] | None:
        """The period in the year that is named, or else in the year that brings it nearest to a day."""
        if self.year is not None:
            return self.period(self.year)
        found = [period for year in (day.year - 1, day.year, day.year + 1) if (period := self.period(year))]
        return min(found, key=lambda period: abs((period[0] - day) / timedelta(days=1)), default=None)


def find_dates(text: str, languages: frozenset[str], *, is_statement: bool) -> list[WrittenDate]:
    """The dates of a text in the order of their places, none inside another.

    Months are known in some languages. In a statement, "may" is a month only where it is written like one.
    """
    shown = strip_invisible(text)
    found = [*_in_figures(shown), *_with_names(shown, languages, is_statement=is_statement), *_years(shown)]
    kept: list[WrittenDate] = []
    for one in sorted(found, key=lambda item: (item.start, -item.end)):
        overlaps = [other for other in kept if other.end > one.start]
        if not overlaps or all((other.start, other.end) == (one.start, one.end) for other in overlaps):
            kept.append(one)
    return kept


def _in_figures(text: str) -> Iterator[WrittenDate]:
    for match in _ISO.finditer(text):
        yield _date(match, match["year"], match["month"], match["day"])
    for match in _FIGURES.finditer(text):
        year = match["year"] if len(match["year"]) > 2 else str(_century(int(match["year"])))
        yield _date(match, year, match["second"], match["first"])
        yield _date(match, year, match["first"], match["second"])
    for match in _CHARACTERS.finditer(text):
        yield _date(match, match["year"] or match["only"], match["month"], match["day"])


def _with_names(text: str, languages: frozenset[str], *, is_statement: bool) -> Iterator[WrittenDate]:
    for match in _month_pattern(languages).finditer(text):
        name = match["name"]
        has_number = match["before"] or match["after"] or match["year"]
        if is_statement and name.casefold() in _AMBIGUOUS and not (has_number or (name[0].isupper() and match.start())):
            continue
        for kind, number in calendar_names(languages).senses(fold(name)):
            if kind == "month":
                yield _date(match, match["year"], number, match["before"] or match["after"])


def _years(text: str) -> Iterator[WrittenDate]:
    for match in _YEAR.finditer(text):
        year = int(match["year"]) if match["year"] else _century(int(match["short"]))
        yield WrittenDate(match.start(), match.end(), year)


def _date(match: re.Match[str], year: str | None, month: str | None, day: str | None) -> WrittenDate:
    numbers = (int(part) if part else None for part in (year, month, day))
    return WrittenDate(match.start(), match.end(), *numbers)


def _century(short: int) -> int:
    return short + (1900 if short >= _FIRST_YEAR_OF_CENTURY else 2000)


@cache
def _month_pattern(languages: frozenset[str]) -> re.Pattern[str]:
    names = sorted(month_names(languages), key=len, reverse=True)
    choice = "|".join(re.escape(name.rstrip("*")) + (r"\w{0,4}" if name.endswith("*") else "") for name in names)
    return re.compile(
        rf"(?<!\w)(?:(?P<before>\d{{1,2}}){_ORDINAL}\s(?:of\s|de\s|d')?)?(?P<name>{choice})(?!\w)\.?"
        rf"(?:\s(?P<after>\d{{1,2}}){_ORDINAL}(?![\d:]))?(?:,?\s(?:de\s|del\s|of\s)?(?P<year>\d{{4}})(?!\d))?",
        re.IGNORECASE,
    )


def last_day_mentioned(text: str, today: date) -> date | None:
    """The last day of the latest date in an English text; a date without a year is the next one."""
    found = find_dates(text, frozenset({"en"}), is_statement=True)
    dates = [one for one in found if one.day or _BEFORE_MONTH.search(text[: one.start])]
    named = ((match, _NAMED_DAYS[match["name"].lower()]) for match in _NAMED_DAY.finditer(text))
    dates += (WrittenDate(match.start(), match.end(), None, *day) for match, day in named)
    days = [last_day_after(text[: one.start], day) for one in dates if (day := _next_last_day(one, today))]
    return max(days, default=None)


def last_day_after(before: str, day: date) -> date:
    """The last day of what begins on the day that stands after these words: "on the weekend of", "in the week of"."""
    more = next((days for words, days in _DAYS_AFTER if before.endswith(words)), 0)
    return day + timedelta(days=min(more, (date.max - day).days))


def _next_last_day(one: WrittenDate, today: date) -> date | None:
    years = [one.year] if one.year else [today.year, today.year + 1]
    ends = (period[1] for year in years if (period := one.period(year)))
    return next((end for end in ends if one.year or end >= today), None)
