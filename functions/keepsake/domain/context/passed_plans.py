"""Marks what was planned for a day that is over: it may have come true or not.

Memories and summaries stay as they were written, and are read on later days: "The surgery is on 6 April" in a context
of 7 April. A memory tells its day in its period; in a summary it is read from the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.evidence.written_dates import last_day_mentioned
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Memory
from keepsake.domain.text import has_open_quote

NOTICE = "(that day has passed)"
"""Stands after the day of a plan, where that day is over."""

_VERBS = (
    r"is|are|will|planned|scheduled|due|(?:start|begin|leave|arrive|come|move|drive|go|take|have)s|flies"
    r"|(?:starting|beginning|leaving|arriving|coming|moving|driving|going|flying)|(?:want|plan)s? to"
)
_PAST = r"(?:and|but|who|which|since|was|were|had|has|came|went|got|told|said|did|until|not|no longer|\w+ed)"
_AHEAD = re.compile(
    rf"\b(?:{_VERBS})(?: (?!{_PAST}\b)[\w'’-]++){{0,8}}? "
    rf"(?=(?:on|for|by) )(?P<when>(?:(?!{_PAST}\b)[\w'’-]++,? ?){{1,6}})"
)
_WORD = re.compile(r"[^\s,.;:!?]+")
_YEAR = re.compile(r",? \d{4}\b")
_SENTENCE = re.compile(r"(?:[^.!?;]|[.!?;](?!\s|$))+[.!?;]*\s*")
_HALF_A_YEAR = timedelta(days=183)


def is_passed_plan(memory: Memory, now: datetime) -> bool:
    """Whether a memory is about days that were to come when it was last said, and are over, by the person's days."""
    days = days_of(memory.period)
    return days is not None and memory.last_said_at.astimezone(now.tzinfo).date() < days[0] and days[1] < now.date()


def mark_passed(outline: Outline, today: date) -> Outline:
    """The outline with a notice in each sentence that tells a plan for an earlier day."""
    return replace(
        outline,
        sentences=[_marked(one, today) for one in outline.sentences],
        parts=[mark_passed(part, today) for part in outline.parts],
    )


def _marked(sentence: Sentence, today: date) -> Sentence:
    items = [replace(one, text=mark_text(one.text, today)) for one in sentence.items]
    opening = sentence.opening if items else mark_text(sentence.opening, today)
    return replace(sentence, opening=opening, items=items)


def mark_text(text: str, today: date) -> str:
    """The text with the notice after the last day of each sentence that plans for earlier days only."""
    return "".join(_mark_sentence(match[0], today) for match in _SENTENCE.finditer(text))


def _mark_sentence(sentence: str, today: date) -> str:
    days = list(_planned_days(sentence, today))
    if not days or max(one.day for one in days) >= today:
        return sentence
    end = days[-1].end
    if has_open_quote(sentence[:end]):  # it has the date on which it was said, and is the person's own
        return sentence
    return f"{sentence[:end]} {NOTICE}{sentence[end:]}"


class _Day(NamedTuple):
    day: date
    end: int
    """Where in the sentence its name ends."""


def _planned_days(sentence: str, today: date) -> Iterator[_Day]:
    """The days that it plans for; one without a year is of this year, and near."""
    january = today.replace(month=1, day=1)
    for match in _AHEAD.finditer(sentence):
        day = last_day_mentioned(match["when"], january)
        if day is not None and (day.year < today.year or abs(day - today) < _HALF_A_YEAR):
            ends = (word.end() for word in _WORD.finditer(match["when"]))
            length = next(end for end in ends if last_day_mentioned(match["when"][:end], january) == day)
            end = match.start("when") + length
            year = _YEAR.match(sentence, end)
            yield _Day(day, year.end() if year else end)
