"""When a sentence of a summary says that something was, against when the texts it comes from were said or tell of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache

from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.time_expressions import find_days
from keepsake.domain.evidence.written_dates import find_dates
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.false_sentences.clauses import find_nearest, split_clauses
from keepsake.domain.text import words

_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)\b")
_CLOCK = re.compile(r"(?<=\bat )(\d{1,2})\b(?![.,:]?\d)|\b(\d{1,2}:\d\d)\b")
_MONTH = re.compile(r"[^\W\d_]{3}")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_MAX_SPAN = timedelta(days=2)
"""Days of an expression that is exact enough to give a weekday, such as "on the weekend"."""
_ORDINAL_DAYS = range(-31, 63)
"""Where the day of "the 20th" may lie, seen from the message."""
_HALF_DAY = 12
_ENGLISH = frozenset({"en"})


def find_wrong_time(sentence: str, said: Sequence[Citable], names: frozenset[str]) -> str | None:
    """A day, month, season or hour of a part that the messages nearest to it neither were said at nor tell of.

    Nearest are those that share most words with the part, not counting ``names``.
    """
    if any(one.on is None for one in said):
        return None
    of_text = {one.text: one for one in said}
    for part in split_clauses(sentence):
        texts = [of_text[text] for text in find_nearest(part, list(of_text), names)]
        if repeated := _repeated(part, texts or said):
            return repeated
        if not texts:
            continue
        missing = _named_weekdays(part) - frozenset[str]().union(*map(_weekdays, texts))
        if missing:
            return min(missing).capitalize()
        grounds = Grounds([said for one in texts for said in (Said(one.text, one.on), Said(one.when))], language="en")
        if dates := [one for one in unsupported_dates(part, grounds) if _MONTH.search(one)]:
            return dates[0]
        for times in (_seasons, _hours):
            own = frozenset[str]().union(*(times(one.text) for one in texts))
            if own and (missing := times(part) - own):
                return min(missing)
    return None


def _repeated(part: str, texts: Sequence[Citable]) -> str | None:
    """The weekday of a habit ("on Tuesdays"), where the texts name others and not this one."""
    own = frozenset[str]().union(*(_named_weekdays(one.text) for one in texts))
    wanted = {f"{day}s" for day in WEEKDAYS if own and day not in own} & set(words(part))
    return min(wanted).capitalize() if wanted else None


def _seasons(text: str) -> frozenset[str]:
    return frozenset(_SEASON.findall(text.casefold()))


def _hours(text: str) -> frozenset[str]:
    """The times of day in figures, on a clock of twelve hours; one with minutes is also the full hour."""
    found: set[str] = set()
    for hour, time in _CLOCK.findall(text):
        hours, _, minutes = (hour or time).partition(":")
        shown = str(int(hours) % _HALF_DAY)
        found |= {shown, f"{shown}:{minutes}"} if minutes else {shown}
    return frozenset(found)


def _named_weekdays(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words(text)) & frozenset(WEEKDAYS)


@lru_cache(maxsize=256)  # the sentences of a reply are checked one by one against the same texts
def _weekdays(text: Citable) -> frozenset[str]:
    """The weekdays of a message: that on which it was said, and those that it names or that follow from it."""
    if text.on is None:
        return frozenset()
    days = [text.on]
    for one in find_days(Said(text.text, text.on), _ENGLISH):
        days += [one.first, one.last] if one.last - one.first <= _MAX_SPAN else []
    for written in find_dates(text.text, _ENGLISH, is_statement=False):
        days += (written.nearest_to(text.on) if written.day else None) or ()
    near = [text.on + timedelta(days=offset) for offset in _ORDINAL_DAYS]
    numbers = {int(number) for number in _ORDINAL.findall(text.text)}
    days += [day for day in near if day.day in numbers]
    return _named_weekdays(text.text) | {WEEKDAYS[day.weekday()] for day in days}
