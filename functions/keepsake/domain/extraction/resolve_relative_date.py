"""Resolves a relative date in a candidate against the time of the message; an ambiguous one stays, with that time."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

from keepsake.domain.english.dates import (
    RELATIVE_DATE,
    ResolvedDate,
    absolute_date,
    present_words_pattern,
    written_day,
)
from keepsake.domain.english.inflection import begins_in_past, is_past
from keepsake.domain.english.third_person import capitalize
from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.evidence.written_dates import find_dates
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import slug

_PREPOSITION = re.compile(r"\b(?:to|for|by|of|until|till|since|from|before|after|about|at|with) $", re.IGNORECASE)
_UP_TO = re.compile(r" ?(?:to|until|till|through|-|–) ?(?=\w)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_REPEATED = re.compile(r"\b(?:every|each|usually|always|most)\b", re.IGNORECASE)
_PROGRESSIVE = re.compile(r"\b(?:is|are) (?:[a-z]{2,12}ly )?[a-z]{2,12}ing\b")
_HAS = re.compile(r"\b(?:has|have)\b")
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b(?! \d)(?!,? \d{{4}})", re.IGNORECASE)
_OF = re.compile(r"(?: of|,)? $", re.IGNORECASE)
_NOW = present_words_pattern(["now"])
_FIRST_NOW = re.compile(r"^Now (?=[a-z])")
_DURABLE_ATTRIBUTES = ("likes", "avoids", "prefers", "only", "takes", "work", "routine", "commute")


def resolve_relative_date(candidate: Candidate, said_at: datetime) -> Candidate:
    """The candidate with its relative date resolved; ``said_at`` is the time of the message in its author's zone.

    What names a date already keeps it, and so does what a capable model says. "Now" at the beginning or end is left
    out, for the memory has a date.
    """
    if candidate.is_believed or not candidate.language.startswith("en"):
        return candidate
    if any(one.month for one in find_dates(candidate.text, frozenset({"en"}), is_statement=True)):
        return replace(candidate, text=_with_year(candidate.text, said_at))
    return _with_date(replace(candidate, text=_without_now(candidate.text)), said_at)


def _with_year(text: str, said_at: datetime) -> str:
    """The text of a statement that names one month with the year that it names: "two years ago in April"."""
    match = RELATIVE_DATE.search(text)
    resolved = absolute_date(match, said_at.date(), is_past=is_past(text)) if match else None
    if match is None or resolved is None or not resolved.value.isdigit():
        return text
    before, after = (_MONTH.findall(part) for part in (text[: match.start()], text[match.end() :]))
    if len(before) + len(after) != 1:
        return text
    without = (_OF.sub("", text[: match.start()]).rstrip() + text[match.end() :]).lstrip(" ,")
    dated = _MONTH.sub(rf"\g<0> {resolved.value}", without)
    return f"{dated[:1].upper()}{dated[1:]}"


def _with_date(candidate: Candidate, said_at: datetime) -> Candidate:
    if _REPEATED.search(candidate.text):
        return candidate
    match = RELATIVE_DATE.search(candidate.text)
    is_habit = candidate.type is MemoryType.PATTERN and not (match and match["near"])
    if is_habit or (match and candidate.text[: match.start()].endswith("time ")):
        return candidate  # "for the first time in six years" names no day
    if match is None or parse_key(candidate.key).attribute in _DURABLE_ATTRIBUTES:
        return candidate
    if match["weekday"] and not match["which"] and not _is_dated(candidate, match[0]):
        return candidate
    before = candidate.text[: match.start()]
    is_to_come = before.endswith("for ")  # "booked the dentist for Friday"
    resolved = absolute_date(match, said_at.date(), is_past=is_past(candidate.text) and not is_to_come)
    after = _with_last_day(candidate.text[match.end() :], resolved)
    if resolved is None:
        text = f"{candidate.text} (said on {written_day(said_at.date())})"
    elif _PREPOSITION.search(before):
        text = before + re.sub(r"^(?:on|in) ", "", resolved.text) + after
    else:
        text = before + (resolved.text if before else capitalize(resolved.text.removeprefix("on "))) + after
    if len(text) > MAX_TEXT_LENGTH:
        return candidate
    spoken = slug(match[0].lower().removeprefix("on "))
    is_value = bool(candidate.value) and candidate.value in (spoken, slug(match[0]))
    value = slug(resolved.value) if resolved and is_value else candidate.value
    key = candidate.key and (re.sub(rf"(?<=[^|])_(?:on_)?{spoken}$", "", candidate.key) or candidate.key)
    return replace(candidate, text=text, key=key, value=value)


def _with_last_day(after: str, first: ResolvedDate | None) -> str:
    """What follows a date, with the weekday up to which something lasts as the next such day ("to Monday")."""
    opening = _UP_TO.match(after)
    if opening is None or first is None or _DAY.fullmatch(first.value) is None:
        return after
    match = RELATIVE_DATE.match(after, opening.end())
    if match is None or not match["weekday"] or match["which"]:
        return after
    last = absolute_date(match, date.fromisoformat(first.value) + timedelta(days=1), is_past=False)
    return after if last is None else f"{opening[0]}{last.text.removeprefix('on ')}{after[match.end() :]}"


def _without_now(text: str) -> str:
    text = _NOW.sub("", _FIRST_NOW.sub("", text))
    return f"{text[:1].upper()}{text[1:]}"


def _is_dated(candidate: Candidate, weekday: str) -> bool:
    """Whether a weekday in it is one day, not every such day."""
    is_on_day = _PROGRESSIVE.search(candidate.text) or (_HAS.search(candidate.text) and weekday[:3].lower() == "on ")
    of_others = candidate.type is MemoryType.RELATIONSHIP and (is_past(candidate.text) or is_on_day)
    is_event = of_others or candidate.subtype is Subtype.EVENT or begins_in_past(candidate.text)
    return bool(is_event) or candidate.type is MemoryType.GOAL or "|when|" in (candidate.key or "")
