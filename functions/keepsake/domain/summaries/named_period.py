"""Finds the past period that a person asks about: "how was my October?", "what did we talk about last week?"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from keepsake.domain.english.calendar_words import MONTHS
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.text import normalize_apostrophes

_MAX_LENGTH = 300
"""Characters of a message that may be such a question; a longer one says more than that."""

_CUES = (
    r"how (?:was|were|did|has|have|am|are)",
    r"what (?:did|was|were|happened|happens|have|has)|what do you (?:know|remember)|what's (?:new|happened)",
    r"do you remember|remind me|tell me|summari[sz]e|summary|look(?:ing)? back",
)
_CUE = re.compile(rf"\b(?:{'|'.join(_CUES)})\b", re.IGNORECASE)
_MONTH = re.compile(
    rf"\b(?P<before>my|in|of|during|last|about|for|this) (?P<month>{'|'.join(MONTHS)})"
    r"(?:,? (?:of )?(?P<year>20\d\d))?\b",
    re.IGNORECASE,
)
_DAY = re.compile(r"\b(?P<day>20\d\d-\d\d-\d\d)\b")
_WEEK = re.compile(r"\bweek (?P<week>\d{1,2})(?:,? (?:of )?(?P<year>20\d\d))?\b", re.IGNORECASE)
_DATE = re.compile(
    rf"\b(?:(?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<day_before>\d{{1,2}})(?:st|nd|rd|th)? "
    rf"(?:of )?(?P<month_after>{'|'.join(MONTHS)}))(?!\d)(?:,? (?P<year>20\d\d))?",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?P<which>yesterday|(?P<before>last|this|past|the) (?P<unit>week|month))\b", re.IGNORECASE)


def find_named_period(text: str, today: date) -> Period | None:
    """The period that the message asks about, seen from today; None where it asks about none."""
    shown = " ".join(normalize_apostrophes(text[: _MAX_LENGTH + 1]).split())
    if len(text) > _MAX_LENGTH or not _CUE.search(shown):
        return None
    return (
        _of_date(shown)
        or _of_written_date(shown, today)
        or _of_week(shown, today)
        or _of_month(shown, today)
        or _relative(shown, today)
    )


def describe(period: Period) -> str:
    """The name of a period for the model: "October 2024"."""
    first = period.first
    match period.level:
        case Level.MONTH:
            return f"{MONTHS[first.month - 1]} {first.year}"
        case Level.WEEK:
            return f"the week from {first} to {period.last}"
        case Level.DAY:
            return str(first)


def _of_date(text: str) -> Period | None:
    found = _DAY.search(text)
    try:
        return Period(Level.DAY, date.fromisoformat(found["day"])) if found else None
    except ValueError:
        return None


def _of_written_date(text: str, today: date) -> Period | None:
    """The day that is written as "October 9th": of the year that is named, else the newest that has begun."""
    found = _DATE.search(text)
    if found is None:
        return None
    month = _month_number(found["month"] or found["month_after"])
    try:
        day = date(int(found["year"] or today.year), month, int(found["day"] or found["day_before"]))
        return Period(Level.DAY, day if found["year"] or day <= today else day.replace(year=day.year - 1))
    except ValueError:
        return None


def _of_week(text: str, today: date) -> Period | None:
    """The ISO week of that number: of the year that is named, else the newest that has begun."""
    found = _WEEK.search(text)
    if found is None:
        return None
    try:
        first = date.fromisocalendar(int(found["year"] or today.isocalendar().year), int(found["week"]), 1)
        if not found["year"] and first > today:
            first = date.fromisocalendar(today.isocalendar().year - 1, int(found["week"]), 1)
        return Period(Level.WEEK, first)
    except ValueError:
        return None


def _month_number(name: str) -> int:
    return [month.casefold() for month in MONTHS].index(name.casefold()) + 1


def _of_month(text: str, today: date) -> Period | None:
    """The month of that name: of the year that is named, else the newest that has begun, and with "last" is over."""
    found = _MONTH.search(text)
    if found is None:
        return None
    month = _month_number(found["month"])
    if found["year"]:
        return Period(Level.MONTH, date(int(found["year"]), month, 1))
    is_over = found["before"].casefold() == "last"
    has_begun = month < today.month or (month == today.month and not is_over)
    return Period(Level.MONTH, date(today.year if has_begun else today.year - 1, month, 1))


def _relative(text: str, today: date) -> Period | None:
    found = _RELATIVE.search(text)
    if found is None:
        return None
    if not found["unit"]:
        return Period(Level.DAY, today - timedelta(days=1))
    current = Period.containing(Level(found["unit"].casefold()), today)
    if found["before"].casefold() == "this":
        return current
    return Period.containing(current.level, current.first - timedelta(days=1))
