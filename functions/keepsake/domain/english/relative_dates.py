"""Resolves relative dates ("next Friday") against the time of the message; ambiguous ones stay, with that time."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.number_words import COUNTS, NUMBER_WORDS
from keepsake.domain.english.words_for_now import present_words_pattern
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import slug

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
_RELATIVE_DATE = re.compile(
    rf"\b(?:{'|'.join(_RELATIVE_DATES)})\b(?!')",
    re.IGNORECASE | re.ASCII,  # no other letter that only looks like one of these
)
_ABSOLUTE_DATE = re.compile(
    rf"\b(?:by|before|until|on|in|at) (?:the )?(?:end of )?(?:{'|'.join(MONTHS)}|\d)", re.IGNORECASE
)
_PREPOSITION = re.compile(r"\b(?:to|for|by|of|until|till|since|from|before|after) $", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|had|did|got|died|went|lost|left|quit|broke|began|bought|sold|gave|\w{2,12}ed)\b", re.IGNORECASE
)
_NOT_PAST = re.compile(r"\b(?:is|are|will)\b", re.IGNORECASE)
_EVENT_VERB = re.compile(r"(?:[A-Z]\w+ed|Had|Got|Bought|Sold|Lost|Left|Quit|Began|Gave|Hung|Broke)\b")
_REPEATED = re.compile(r"\b(?:every|each|usually|always|most)\b", re.IGNORECASE)
_NOW = present_words_pattern(["now"])
_FIRST_NOW = re.compile(r"^Now (?=[a-z])")
_DURABLE_ATTRIBUTES = ("likes", "avoids", "prefers", "only", "takes", "work", "routine", "commute")


@dataclass(frozen=True, slots=True)
class ResolvedDate:
    """An absolute date: ``text`` as people read it, ``value`` as it is compared ("2026-01-09", "2026-01", "2026")."""

    text: str
    value: str


def resolve_relative_date(candidate: Candidate, said_at: datetime) -> Candidate:
    """The candidate with its relative date resolved; ``said_at`` is the time of the message in its author's zone.

    "Now" at its beginning or end is left out, for the memory has a date.
    """
    if not candidate.language.startswith("en"):
        return candidate
    return _with_date(replace(candidate, text=_without_now(candidate.text)), said_at)


def _with_date(candidate: Candidate, said_at: datetime) -> Candidate:
    if _REPEATED.search(candidate.text):
        return candidate
    match = _RELATIVE_DATE.search(candidate.text)
    is_habit = candidate.type is MemoryType.PATTERN and not (match and match["near"])
    if is_habit or (match and candidate.text[: match.start()].endswith("time ")):
        return candidate  # "for the first time in six years" names no day
    if match is None or parse_key(candidate.key).attribute in _DURABLE_ATTRIBUTES:
        return candidate
    if match["weekday"] and not match["which"] and not _is_dated(candidate):
        return candidate
    resolved = _resolve(match, said_at.date(), is_past=_is_past(candidate.text))
    before, after = candidate.text[: match.start()], candidate.text[match.end() :]
    if resolved is None:
        text = f"{candidate.text} (said on {_day(said_at.date())})"
    elif _PREPOSITION.search(before):
        text = before + re.sub(r"^(?:on|in) ", "", resolved.text) + after
    else:
        text = before + resolved.text + after
    if len(text) > MAX_TEXT_LENGTH:
        return candidate
    spoken = slug(match[0].lower().removeprefix("on "))
    is_value = bool(candidate.value) and candidate.value in (spoken, slug(match[0]))
    value = slug(resolved.value) if resolved and is_value else candidate.value
    key = candidate.key and (re.sub(rf"(?<=[^|])_(?:on_)?{spoken}$", "", candidate.key) or candidate.key)
    return replace(candidate, text=text, key=key, value=value)


def _without_now(text: str) -> str:
    text = _NOW.sub("", _FIRST_NOW.sub("", text))
    return f"{text[:1].upper()}{text[1:]}"


def _is_dated(candidate: Candidate) -> bool:
    """Whether a weekday in it is one day, not every such day."""
    of_others = candidate.type is MemoryType.RELATIONSHIP and _is_past(candidate.text)
    is_event = of_others or candidate.subtype is Subtype.EVENT or _EVENT_VERB.match(candidate.text) is not None
    return is_event or candidate.type is MemoryType.GOAL or "|when|" in (candidate.key or "")


def _is_past(text: str) -> bool:
    """Whether a statement is in the past tense: "got married", not "is getting married"."""
    return _PAST.search(text) is not None and _NOT_PAST.search(text) is None


def _resolve(match: re.Match[str], today: date, *, is_past: bool) -> ResolvedDate | None:
    """The absolute date; None where it is ambiguous."""
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
    return ResolvedDate(f"on the weekend of {_day(saturday, weekday=False)}", f"weekend {saturday.isoformat()}")


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
    return ResolvedDate(f"in the week of {_day(monday, weekday=False)}", f"week {monday.isoformat()}")


def _away(number: int, unit: str, today: date) -> ResolvedDate:
    if unit == "year":
        return ResolvedDate(f"around {today.year + number}", str(today.year + number))
    if unit == "month":
        return _month(today, number, "around")
    day = today + timedelta(days=number * {"week": 7, "fortnight": 14}.get(unit, 1))
    if unit in ("week", "fortnight"):
        return ResolvedDate(f"around {_day(day, weekday=False)}", day.isoformat())
    return _on(day, "")


def _month(today: date, step: int, preposition: str = "in") -> ResolvedDate:
    years, month = divmod(today.month - 1 + step, 12)
    year = today.year + years
    return ResolvedDate(f"{preposition} {MONTHS[month]} {year}", f"{year}-{month + 1:02}")


def _on(day: date, part: str) -> ResolvedDate:
    return ResolvedDate(f"on {_day(day)}{f' ({part.strip()})' if part else ''}", day.isoformat())


def _day(day: date, *, weekday: bool = True) -> str:
    written = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return f"{WEEKDAYS[day.weekday()].capitalize()} {written}" if weekday else written


def names_day(text: str) -> bool:
    """Whether a text names a day, a week, a month or a year, relative or absolute."""
    return _RELATIVE_DATE.search(text) is not None or _ABSOLUTE_DATE.search(text) is not None
