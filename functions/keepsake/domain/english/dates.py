"""Dates in a text: relative ones ("next Friday") and what they mean on a day, and words for now."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from dateutil.relativedelta import MO, relativedelta
from dateutil.relativedelta import weekday as nth_weekday

from keepsake.domain.english.word_groups import COUNTS, MONTHS, NUMBER_WORDS, WEEKDAYS

_MAX_COUNT = 60
_NEAR_DAYS = {
    "the day before yesterday": (-2, ""), "the night before last": (-2, ""), "yesterday": (-1, ""),
    "last night": (-1, "night"), "today": (0, ""), "tonight": (0, "night"), "this morning": (0, "morning"),
    "this afternoon": (0, "afternoon"), "this evening": (0, "evening"), "tomorrow": (1, ""),
    "the day after tomorrow": (2, ""),
}  # fmt: skip
"""How many days each is away, and the part of the day that it says."""
_STEPS = {"last": -1, "this": 0, "next": 1}
_NAMED_WEEKDAYS = ("easter", "palm", "good", "black", "ash", "shrove", "cyber", "whit", "bloody")
"""Before a weekday these make a name of a day of the year: "Easter Sunday"."""
_WEEKDAY = f"{''.join(f'(?<!{name} )' for name in _NAMED_WEEKDAYS)}(?P<weekday>{'|'.join(WEEKDAYS)})"
_PART = "(?P<{}> morning| afternoon| evening| night)?"
_COUNT = rf"(?P<{{}}>\d{{{{1,2}}}}|a|an|{'|'.join(NUMBER_WORDS[1:13])}) (?P<{{}}>day|week|fortnight|month|year)s?"
_RELATIVE_DATES = (
    rf"(?P<near>{'|'.join(_NEAR_DAYS)}){_PART.format('part')}",
    rf"(?:(?P<which>this coming|this|next|last) |on )?{_WEEKDAY}{_PART.format('part2')}(?! and \w+days?\b)",
    r"(?P<turn>this|next|last) (?P<period>weekend|week|month|year)",
    r"on the (?P<day>\d{1,2})(?:st|nd|rd|th)(?! (?:of|floor|anniversary|birthday|day|street|avenue|try|attempt|date))",
    rf"in {_COUNT.format('count', 'unit')}(?:'? time)?",
    rf"{_COUNT.format('count2', 'unit2')} (?P<direction>ago|from now)(?: today)?",
)
RELATIVE_DATE = re.compile(
    rf"\b(?:{'|'.join(_RELATIVE_DATES)})\b(?!')",
    re.IGNORECASE | re.ASCII,  # no other letter that only looks like one of these
)
_ABSOLUTE_DATE = re.compile(
    rf"\b(?:by|before|until|on|in|at) (?:the )?(?:end of )?(?:{'|'.join(MONTHS)}|(?<!before )(?<!at )\d)", re.IGNORECASE
)
_BEFORE_NO_NOW = ("until", "by", "for", "from", "just", "even", "till", "right")
"""After these words "now" is no word of time that can be left out."""


@dataclass(frozen=True, slots=True)
class ResolvedDate:
    """An absolute date: ``text`` as people read it, ``value`` as it is compared ("2026-01-09", "2026-01", "2026")."""

    text: str
    value: str


def absolute_date(match: re.Match[str], today: date, *, is_past: bool) -> ResolvedDate | None:
    """The absolute date that a relative one means; None where it is ambiguous."""
    said = {name.rstrip("2"): words.strip().lower() for name, words in match.groupdict().items() if words}
    if "near" in said:
        days, part = _NEAR_DAYS[said["near"]]
        return _on(today + timedelta(days=days), said.get("part", part))
    if "weekday" in said:
        day = _weekday(WEEKDAYS.index(said["weekday"]), said.get("which", ""), today, is_past=is_past)
        return _on(day, said.get("part", ""))
    if "day" in said:
        return _day_of_month(int(said["day"]), today, is_past=is_past)
    if "period" in said:
        return _period(said["period"], _STEPS[said["turn"]], today)
    number = int(COUNTS.get(said["count"], said["count"]))
    if number > _MAX_COUNT:
        return None
    return _away(-number if said.get("direction") == "ago" else number, said["unit"], today)


def _weekday(number: int, which: str, today: date, *, is_past: bool) -> date:
    """A weekday: "next" is that of the week after, where this week's is still to come; "last" the one before today.

    Without either it is the next such day, or the last one where the statement is in the past tense.
    """
    is_back = which == "last" or (is_past and not which)
    days = {"last": -1, "next": 7 if number >= today.weekday() else 0}.get(which, 0)
    found: date = today + relativedelta(days=days, weekday=nth_weekday(number, -1 if is_back else 1))
    return found


def _day_of_month(number: int, today: date, *, is_past: bool) -> ResolvedDate | None:
    """The next such day of a month, or the last one where the statement is in the past tense."""
    days = (today + timedelta(days=-away if is_past else away) for away in range(62))
    return next((_on(day) for day in days if day.day == number), None)


def _period(period: str, step: int, today: date) -> ResolvedDate:
    """The week, weekend, month or year that is so many away."""
    if period in ("month", "year"):
        return _rounded(today + relativedelta(**{f"{period}s": step}), period, "in")
    monday = today + relativedelta(weeks=step, weekday=MO(-1))
    first, words = (monday, "in the week of") if period == "week" else (monday + timedelta(days=5), "on the weekend of")
    return ResolvedDate(f"{words} {written_day(first, weekday=False)}", f"{period} {first.isoformat()}")


def _away(number: int, unit: str, today: date) -> ResolvedDate:
    """The day, or about the day, month or year, that is so many away."""
    if unit == "fortnight":
        number, unit = 2 * number, "week"
    day = today + relativedelta(**{f"{unit}s": number})
    return _on(day) if unit == "day" else _rounded(day, unit, "around")


def _rounded(day: date, unit: str, preposition: str) -> ResolvedDate:
    """A day that is known as exactly as its unit tells."""
    if unit == "week":
        return ResolvedDate(f"{preposition} {written_day(day, weekday=False)}", day.isoformat())
    if unit == "month":
        return ResolvedDate(f"{preposition} {MONTHS[day.month - 1]} {day.year}", f"{day.year}-{day.month:02}")
    return ResolvedDate(f"{preposition} {day.year}", str(day.year))


def _on(day: date, part: str = "") -> ResolvedDate:
    return ResolvedDate(f"on {written_day(day)}{f' ({part})' if part else ''}", day.isoformat())


def written_day(day: date, *, weekday: bool = True) -> str:
    """A day as a memory says it: "Friday 9 January 2026"."""
    written = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return f"{WEEKDAYS[day.weekday()].capitalize()} {written}" if weekday else written


@lru_cache(maxsize=64)  # every rule that needs a day asks it of the same clause
def names_day(text: str) -> bool:
    """Whether a text names a day, a week, a month or a year, relative or absolute."""
    return RELATIVE_DATE.search(text) is not None or _ABSOLUTE_DATE.search(text) is not None


def present_words_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern of these words for now, with the space before them, at the end of a statement or before a comma."""
    limits = "".join(f"(?<!{limit})" for limit in _BEFORE_NO_NOW)
    return re.compile(rf"{limits} (?:{'|'.join(map(re.escape, words))})(?=,|$)", re.IGNORECASE)
