"""Resolves relative dates ("next Friday") against the time of the message; ambiguous ones stay, with that time."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.number_words import COUNTS, NUMBER_WORDS
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.text import slug

_MAX_COUNT = 60
_COUNT_WORDS = ("a", "an", *NUMBER_WORDS[1:13])
_DAY_OFFSETS = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(_COUNT_WORDS)})"
_RELATIVE_DATE = re.compile(
    rf"\b(?:(?P<near>{'|'.join(_DAY_OFFSETS)})(?P<part> morning| afternoon| evening| night)?"
    rf"|(?:(?P<which>this coming|this|next|last) |on )?(?P<weekday>{'|'.join(WEEKDAYS)})(?P<part2> morning| afternoon"
    r"| evening| night)?(?! and \w+days?\b)"
    r"|(?P<turn>this|next|last) (?P<period>week|month|year)"
    rf"|in {_COUNT} (?P<unit>day|week|month|year)s?(?: time)?"
    rf"|{_COUNT.replace('<count>', '<count2>')} (?P<unit2>day|week|month|year)s? (?:ago|from now))\b(?!')",
    re.IGNORECASE | re.ASCII,  # no other letter that only looks like one of these
)
_PREPOSITION = re.compile(r"\b(?:to|for|by|until|till|since|from|before|after) $", re.IGNORECASE)
_REPEATED = re.compile(r"\b(?:every|each|usually|always|most)\b", re.IGNORECASE)
_DURABLE_ATTRIBUTES = ("likes", "avoids", "prefers", "only", "takes", "work", "routine", "commute")


@dataclass(frozen=True, slots=True)
class ResolvedDate:
    """An absolute date: ``text`` as people read it, ``value`` as it is compared ("2026-01-09", "2026-01", "2026")."""

    text: str
    value: str


def resolve_relative_date(candidate: Candidate, said_at: datetime) -> Candidate:
    """The candidate with its relative date resolved; ``said_at`` is the time of the message in its author's zone."""
    if (
        not candidate.language.startswith("en")
        or candidate.type is MemoryType.PATTERN
        or _REPEATED.search(candidate.text)
    ):
        return candidate
    match = _RELATIVE_DATE.search(candidate.text)
    attribute = (candidate.key or "").partition("|person|self|")[2].partition("|")[0]
    if match is None or attribute in _DURABLE_ATTRIBUTES or (match["weekday"] and not _is_dated(candidate)):
        return candidate
    resolved = _resolve(match, said_at.date())
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


def _is_dated(candidate: Candidate) -> bool:
    """Whether a weekday in it is one day, not every such day."""
    return candidate.subtype is Subtype.EVENT or candidate.type is MemoryType.GOAL or "|when|" in (candidate.key or "")


def _resolve(match: re.Match[str], today: date) -> ResolvedDate | None:
    """The absolute date; None where it is ambiguous."""
    if match["near"]:
        part = match["part"] or ""
        return _on(today + timedelta(days=_DAY_OFFSETS[match["near"].lower()]), part)
    if match["weekday"]:
        return _weekday(match, today)
    if match["period"]:
        return _period(match["turn"].lower(), match["period"].lower(), today)
    count, unit = match["count"] or match["count2"], match["unit"] or match["unit2"]
    number = int(COUNTS.get(count.lower(), count))
    back = match["count2"] and match[0].lower().endswith("ago")
    return None if number > _MAX_COUNT else _away(-number if back else number, unit.lower(), today)


def _weekday(match: re.Match[str], today: date) -> ResolvedDate | None:
    """A weekday; "next" and "last" are safe only where this week's has passed, or is still to come."""
    ahead = (WEEKDAYS.index(match["weekday"].lower()) - today.weekday()) % 7
    which, part = (match["which"] or "").lower(), match["part2"] or ""
    if ahead == 0:
        return None
    past_this_week = WEEKDAYS.index(match["weekday"].lower()) < today.weekday()
    if which == "last":
        return None if past_this_week else _on(today + timedelta(days=ahead - 7), part)
    if which == "next" and not past_this_week:
        return None
    return _on(today + timedelta(days=ahead), part)


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
    day = today + timedelta(days=number * (7 if unit == "week" else 1))
    if unit == "week":
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
