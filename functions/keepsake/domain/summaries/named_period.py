"""Finds the past periods that a person asks about: "how was my October?", "this week and last", "my year"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from keepsake.domain.english.word_groups import MONTHS, NUMBER_WORDS, WEEKDAYS
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.text import normalize_apostrophes

_MAX_LENGTH = 300
"""Characters of a message that may be such a question; a longer one says more than that."""
_MAX_SPANS, _MAX_PERIODS = 3, 12
_DAY = timedelta(days=1)
_COUNTS = {word: number for number, word in enumerate(NUMBER_WORDS) if number} | {"few": 3, "couple of": 2}

_CUES = (
    r"how (?:was|were|did|do|does|has|have|am|are)",
    r"what (?:did|was|were|happened|happens|have|has|changed)|what do you (?:know|remember)",
    r"what's (?:new|happened|changed)",
    r"do you remember|remind me|tell me|show me|summari[sz]e|summary|recap|review|compare|look(?:ing)? back",
)
_CUE = re.compile(rf"\b(?:{'|'.join(_CUES)})\b", re.IGNORECASE)
_PAST_CUE = re.compile(
    r"\b(?:was|were|did|happened|have|has|remember|summari[sz]e|summary|recap|review)\b", re.IGNORECASE
)

_MONTH = "|".join([*MONTHS, *(rf"{month[:3]}\b\.?" for month in MONTHS if month != "May"), r"Sept\b\.?"])
_YEAR = r"(?P<year>20\d\d|last year|this year)"
_UNITS = "day|week|month"
_AND = r"(?:and|or|to|with|than|vs\.?|versus)"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_DATE = _pattern(r"\b(?P<day>20\d\d-\d\d-\d\d)\b")
_ISO_MONTH = _pattern(r"\b(?P<year>20\d\d)-(?P<number>\d\d)\b")
_WRITTEN_DATE = _pattern(
    rf"\b(?:(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<day_before>\d{{1,2}})(?:st|nd|rd|th)? "
    rf"(?:of )?(?P<month_after>{_MONTH}))(?!\d)(?:,? (?:of )?{_YEAR})?"
)
_WEEK = _pattern(rf"\bweek (?P<week>\d{{1,2}})(?:,? (?:of )?{_YEAR})?\b")
_NAMED_MONTH = _pattern(
    rf"\b(?P<before>my|our|in|of|was|were|during|last|about|for|this|since|between|compare|{_AND}) (?P<month>{_MONTH})"
    rf"(?:,? (?:of )?{_YEAR})?(?!\w)"
)
_COUNTED = _pattern(
    rf"\b(?:(?:last|past) (?P<count>\d{{1,2}}|{'|'.join(_COUNTS)}) (?P<units>{_UNITS})s"
    rf"|(?P<ago>\d{{1,2}}|{'|'.join(_COUNTS)}|an?) (?P<unit>{_UNITS})s? ago)\b"
)
_RELATIVE = _pattern(
    r"\b(?P<which>today|yesterday|(?P<before>last|this|past|my|our|the(?! day| year)) "
    rf"(?P<unit>{_UNITS}|weekend|year))\b"
)
_WEEKDAY = _pattern(rf"\b(?:on|last|this|{_AND}) (?P<weekday>{'|'.join(WEEKDAYS)})\b")
_NAMED_YEAR = _pattern(rf"\b(?:in|of|during|my|our|was|for|about|{_AND}|compare) {_YEAR}(?![\w-])")
_YEAR_BEFORE = _pattern(rf"\b{_AND} (?:the )?(?:last year|year before)\b(?:'s)?")
_ONE_BEFORE = _pattern(rf"\b{_AND} (?:the )?(?:last|previous|(?:one|year) before)(?: one)?\b(?! \w)")


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """What a message asks about: a period, or several that follow each other ("my year": its months)."""

    name: str
    """For the model: "October 2024"."""
    periods: tuple[Period, ...]


class _Found(NamedTuple):
    position: int
    span: NamedSpan
    is_month_name: bool


def find_named_spans(text: str, today: date) -> list[NamedSpan]:
    """The periods that the message asks about, seen from today, in its order; none where it asks about none."""
    shown = " ".join(normalize_apostrophes(text[: _MAX_LENGTH + 1]).split())
    if len(text) > _MAX_LENGTH or not _CUE.search(shown):
        return []
    found: list[_Found] = []
    for pattern, resolve in _RESOLVERS:
        for match in pattern.finditer(shown):
            before = max((one for one in found if one.position < match.start()), default=None)
            span = _one_before(before) if resolve is None else resolve(match, today)
            if (
                span
                and pattern is _NAMED_MONTH
                and match["before"].casefold() == "last"
                and before
                and before.span == span
            ):
                span = _one_before(before)  # "this October and last October"
            if span:
                found.append(_Found(match.start(), span, pattern is _NAMED_MONTH))
        shown = pattern.sub(lambda match: " " * (len(match[0]) - 1) + "_", shown)  # each word is read once
    spans = list(dict.fromkeys(one.span for one in sorted(found)))
    return spans[:_MAX_SPANS]


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


def _span(period: Period) -> NamedSpan:
    return NamedSpan(describe(period), (period,))


def _day(day: date) -> NamedSpan:
    return _span(Period(Level.DAY, day))


def _months(name: str, first: Period, today: date) -> NamedSpan | None:
    """The months from one on that have begun, and no more than a year of them."""
    months = [first]
    while len(months) < _MAX_PERIODS and months[-1].following.first <= today:
        months.append(months[-1].following)
    return NamedSpan(name, tuple(months)) if first.first <= today else None


def _year(year: int, today: date) -> NamedSpan | None:
    return _months(str(year), Period(Level.MONTH, date(year, 1, 1)), min(today, date(year, 12, 31)))


def _year_number(text: str, today: date) -> int:
    return int(text) if text.isdecimal() else today.year - (text.casefold() == "last year")


def _month_number(name: str) -> int:
    return [month[:3].casefold() for month in MONTHS].index(name[:3].casefold()) + 1


def _of_date(found: re.Match[str], _today: date) -> NamedSpan | None:
    return _valid(lambda: _day(date.fromisoformat(found["day"])))


def _of_iso_month(found: re.Match[str], _today: date) -> NamedSpan | None:
    return _valid(lambda: _span(Period(Level.MONTH, date(int(found["year"]), int(found["number"]), 1))))


def _of_written_date(found: re.Match[str], today: date) -> NamedSpan | None:
    """The day that is written as "October 9th": of the year that is named, else the newest that has begun."""
    month, number = _month_number(found["month"] or found["month_after"]), int(found["day"] or found["day_before"])
    if found["year"]:
        return _valid(lambda: _day(date(_year_number(found["year"], today), month, number)))
    years = (today.year, today.year - 1)
    days = (_valid(lambda year=year: _day(date(year, month, number))) for year in years)  # type: ignore[misc]
    return next((day for day in days if day and day.periods[0].first <= today), None)


def _of_week(found: re.Match[str], today: date) -> NamedSpan | None:
    """The ISO week of that number: of the year that is named, else the newest that has begun."""
    year = _year_number(found["year"], today) if found["year"] else today.isocalendar().year
    week = _valid(lambda: _span(Period(Level.WEEK, date.fromisocalendar(year, int(found["week"]), 1))))
    if week is None or found["year"] or week.periods[0].first <= today:
        return week
    return _valid(lambda: _span(Period(Level.WEEK, date.fromisocalendar(year - 1, int(found["week"]), 1))))


def _of_month(found: re.Match[str], today: date) -> NamedSpan | None:
    """The month of that name: of the year that is named, else the newest that has begun, and with "last" is over."""
    month = _month_number(found["month"])
    if found["year"]:
        return _span(Period(Level.MONTH, date(_year_number(found["year"], today), month, 1)))
    before = found["before"].casefold()
    has_begun = month < today.month or (month == today.month and before != "last")
    period = Period(Level.MONTH, date(today.year if has_begun else today.year - 1, month, 1))
    return _months(f"the time since {describe(period)}", period, today) if before == "since" else _span(period)


def _of_count(found: re.Match[str], today: date) -> NamedSpan | None:
    """So many days, weeks or months: those that are over, the newest last; or the one so long ago."""
    level = Level((found["units"] or found["unit"]).casefold())
    period = Period.containing(level, today)
    if found["ago"]:
        for _ in range(min(_count(found["ago"]), 100)):
            period = period.preceding
        return _span(period)
    periods: list[Period] = []
    for _ in range(min(_count(found["count"]), _MAX_PERIODS)):
        period = period.preceding
        periods.insert(0, period)
    return NamedSpan(f"the last {len(periods)} {level}s", tuple(periods)) if periods else None


def _count(word: str) -> int:
    return int(word) if word.isdecimal() else _COUNTS.get(word.casefold(), 1)


def _of_relative(found: re.Match[str], today: date) -> NamedSpan | None:
    which, before, unit = (one and one.casefold() for one in found.group("which", "before", "unit"))
    if unit is None or unit == "day":
        is_past = _PAST_CUE.search(found.string)
        is_today = which == "today" or before in {"this", "my", "our"}
        return None if is_today and not is_past else _day(today - _DAY * (not is_today))
    is_current = before == "this" or (before in {"my", "our"} and not _has_just_begun(unit, today))
    if unit == "year":
        return _year(today.year - (not is_current), today)
    if unit == "weekend":
        saturday = today - _DAY * ((today.weekday() + 2) % 7)
        saturday -= _DAY * (7 if before == "last" and saturday + _DAY >= today else 0)
        days = tuple(Period(Level.DAY, saturday + _DAY * number) for number in range(2))
        return NamedSpan(f"the weekend from {days[0].first} to {days[1].first}", days)
    current = Period.containing(Level(unit), today)
    return _span(current if is_current else current.preceding)


def _has_just_begun(unit: str, today: date) -> bool:
    """Whether "my week" means the one before: so little of this one is over."""
    if unit == "year":
        return today.month == 1
    return today.day <= 3 if unit == "month" else today.weekday() == 0


def _of_weekday(found: re.Match[str], today: date) -> NamedSpan | None:
    """The newest such day before today."""
    back = (today.weekday() - WEEKDAYS.index(found["weekday"].casefold()) - 1) % 7 + 1
    return _day(today - _DAY * back)


def _of_year(found: re.Match[str], today: date) -> NamedSpan | None:
    return _year(_year_number(found["year"], today), today)


def _one_before(found: _Found | None) -> NamedSpan | None:
    """What "and last" means after a period: the same month of the year before, or the period before."""
    if found is None:
        return None
    period = found.span.periods[0]
    if len(found.span.periods) > 1:
        return _year(period.first.year - 1, date(period.first.year, 1, 1) - _DAY)
    if found.is_month_name:
        return _span(Period(Level.MONTH, period.first.replace(year=period.first.year - 1)))
    return _span(period.preceding)


def _valid(make: Callable[[], NamedSpan]) -> NamedSpan | None:
    """The period, or None for a date that does not exist."""
    try:
        return make()
    except ValueError:
        return None


_Resolve = Callable[[re.Match[str], date], NamedSpan | None]
_RESOLVERS: tuple[tuple[re.Pattern[str], _Resolve | None], ...] = (
    (_DATE, _of_date),
    (_ISO_MONTH, _of_iso_month),
    (_WRITTEN_DATE, _of_written_date),
    (_WEEK, _of_week),
    (_COUNTED, _of_count),
    (_NAMED_MONTH, _of_month),
    (_YEAR_BEFORE, None),  # of what was named before it
    (_RELATIVE, _of_relative),
    (_WEEKDAY, _of_weekday),
    (_NAMED_YEAR, _of_year),
    (_ONE_BEFORE, None),
)
