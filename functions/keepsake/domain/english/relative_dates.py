"""Finds relative dates ("next Friday") in a text, and the absolute dates that they mean on a day."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.number_words import COUNTS, NUMBER_WORDS

_MAX_COUNT = 60
_COUNT_WORDS = ("a", "an", *NUMBER_WORDS[1:13])
_DAY_OFFSETS = {
    "the day before yesterday": -2, "the night before last": -2, "yesterday": -1, "last night": -1, "today": 0,
    "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1, "the day after tomorrow": 2,
}  # fmt: skip
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_COUNT_WORDS)})"
_PART = "(?P<{}> morning| afternoon| evening| night)?"
_WEEKDAY = f"(?P<weekday>{'|'.join(WEEKDAYS)})"
_RELATIVE_DATES = (
    rf"(?P<near>{'|'.join(_DAY_OFFSETS)}){_PART.format('part')}",
    rf"(?:(?P<which>this coming|this|next|last) |on )?{_WEEKDAY}{_PART.format('part2')}(?! and \w+days?\b)",
    r"(?P<turn>this|next|last) (?P<period>week|month|year)",
    r"(?P<which2>this|next|last) (?P<weekend>weekend)",
    r"on the (?P<day>\d{1,2})(?:st|nd|rd|th)(?! (?:of|floor|anniversary|birthday|day|street|avenue|try|attempt|date))",
    rf"in {_COUNT} (?P<unit>day|week|fortnight|month|year)s?(?:'? time)?",
    rf"{_COUNT.replace('<count>', '<count2>')} (?P<unit2>day|week|fortnight|month|year)s? (?:ago|from now)(?: today)?",
)
RELATIVE_DATE = re.compile(
    rf"\b(?:{'|'.join(_RELATIVE_DATES)})\b(?!')",
    re.IGNORECASE | re.ASCII,  # no other letter that only looks like one of these
)
_ABSOLUTE_DATE = re.compile(
    rf"\b(?:by|before|until|on|in|at) (?:the )?(?:end of )?(?:{'|'.join(MONTHS)}|\d)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ResolvedDate:
    """An absolute date: ``text`` as people read it, ``value`` as it is compared ("2026-01-09", "2026-01", "2026")."""

    text: str
    value: str


def absolute_date(match: re.Match[str], today: date, *, is_past: bool) -> ResolvedDate | None:
    """The absolute date that a relative one means; None where it is ambiguous."""
    if match["near"]:
        near = match["near"].lower()
        part = match["part"] or (near.partition(" ")[2] if near.startswith(("this", "last")) else "")
        return _on(today + timedelta(days=_DAY_OFFSETS[near]), "night" if near == "tonight" else part)
    if match["weekday"]:
        return _weekday(match, today, is_past=is_past)
    if match["weekend"]:
        return _weekend(match["which2"].lower(), today)
    if match["day"]:
        return _day_of_month(int(match["day"]), today, is_past=is_past)
    if match["period"]:
        return _period(match["turn"].lower(), match["period"].lower(), today)
    count, unit = match["count"] or match["count2"], match["unit"] or match["unit2"]
    number = int(COUNTS.get(count.lower(), count))
    back = match["count2"] and "ago" in match[0].lower()
    return None if number > _MAX_COUNT else _away(-number if back else number, unit.lower(), today)


def _weekday(match: re.Match[str], today: date, *, is_past: bool) -> ResolvedDate:
    """A weekday: "next" is that of the week after, where this week's is still to come; "last" the one before today.

    Without either it is the next such day, or the last one where the statement is in the past tense.
    """
    ahead = (WEEKDAYS.index(match["weekday"].lower()) - today.weekday()) % 7
    which, part = (match["which"] or "").lower(), match["part2"] or ""
    if which == "last":
        return _on(today + timedelta(days=(ahead or 7) - 7 if ahead else -7), part)
    if not which and is_past:
        return _on(today + timedelta(days=ahead - 7 if ahead else 0), part)
    is_this_week = WEEKDAYS.index(match["weekday"].lower()) >= today.weekday()
    if which == "next" and is_this_week:
        return _on(today + timedelta(days=ahead + 7), part)
    return _on(today + timedelta(days=ahead), part)


def _weekend(which: str, today: date) -> ResolvedDate:
    saturday = today + timedelta(days=5 - today.weekday() + 7 * {"last": -1, "this": 0, "next": 1}[which])
    return ResolvedDate(f"on the weekend of {written_day(saturday, weekday=False)}", f"weekend {saturday.isoformat()}")


def _day_of_month(day: int, today: date, *, is_past: bool) -> ResolvedDate | None:
    """The next such day of a month, or the last one where the statement is in the past tense."""
    months = range(today.month - 1, today.month - 13, -1) if is_past else range(today.month - 1, today.month + 11)
    for index in months:
        years, month = divmod(index, 12)
        if day > calendar.monthrange(today.year + years, month + 1)[1]:
            continue
        found = date(today.year + years, month + 1, day) if day else today
        if (found < today) == is_past or found == today:
            return _on(found, "")
    return None


def _period(which: str, period: str, today: date) -> ResolvedDate:
    step = {"last": -1, "this": 0, "next": 1}[which]
    if period == "year":
        return ResolvedDate(f"in {today.year + step}", str(today.year + step))
    if period == "month":
        return _month(today, step)
    monday = today + timedelta(days=7 * step - today.weekday())
    return ResolvedDate(f"in the week of {written_day(monday, weekday=False)}", f"week {monday.isoformat()}")


def _away(number: int, unit: str, today: date) -> ResolvedDate:
    if unit == "year":
        return ResolvedDate(f"around {today.year + number}", str(today.year + number))
    if unit == "month":
        return _month(today, number, "around")
    day = today + timedelta(days=number * {"week": 7, "fortnight": 14}.get(unit, 1))
    if unit in ("week", "fortnight"):
        return ResolvedDate(f"around {written_day(day, weekday=False)}", day.isoformat())
    return _on(day, "")


def _month(today: date, step: int, preposition: str = "in") -> ResolvedDate:
    years, month = divmod(today.month - 1 + step, 12)
    year = today.year + years
    return ResolvedDate(f"{preposition} {MONTHS[month]} {year}", f"{year}-{month + 1:02}")


def _on(day: date, part: str) -> ResolvedDate:
    return ResolvedDate(f"on {written_day(day)}{f' ({part.strip()})' if part else ''}", day.isoformat())


def written_day(day: date, *, weekday: bool = True) -> str:
    """A day as a memory says it: "Friday 9 January 2026"."""
    written = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return f"{WEEKDAYS[day.weekday()].capitalize()} {written}" if weekday else written


def names_day(text: str) -> bool:
    """Whether a text names a day, a week, a month or a year, relative or absolute."""
    return RELATIVE_DATE.search(text) is not None or _ABSOLUTE_DATE.search(text) is not None
