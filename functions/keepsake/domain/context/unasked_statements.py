"""Which statements a context may tell that nobody asked for: none that time alone has made untrue.

Untrue by now are an age, what somebody still was, was doing or wanted of the person a year ago, and a plan for days
long past. What rules read without knowing what it is about ends unnoticed: it is left out after a year, and at once
where it has no verb, and so does not say of whom it is ("Surgery on 6 April"), or until when, and where it points at
what only its message names. What others want, and what is not yet decided, is told for a week.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from keepsake.domain.english.complete_statements import is_note
from keepsake.domain.english.word_groups import AGE
from keepsake.domain.evidence.written_dates import last_day_mentioned
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Memory, Source
from keepsake.domain.memory_key import parse_key

_FOR_A_YEAR = re.compile(
    rf"\b(?:(?:is|are) (?:{AGE} years? old\b|\d{{1,3}}(?:,|$)|\w+ing\b)|(?:wants (?:them|her|him) to|still)\b)",
    re.IGNORECASE,
)
_YEAR = timedelta(days=365)
_IS_AHEAD = re.compile(
    r"\b(?:(?:is|are) (?:\w+ing|about)|(?:wants?|plans?|hopes?|needs?|has|have) to|will)\b", re.IGNORECASE
)
_POINTS_BACK = re.compile(
    r"^(?:the|they|it|this|that|these|those|he|she|no|none|two|three|four|\d+)\b|\b(?:it|this|that|there)$",
    re.IGNORECASE,
)
_PENDING = re.compile(
    r"\w wants?\b|\w (?:asks?|asked|offers?|offered) them\b|\bnot (?:yet|decided|heard)\b"
    r"|\w (?:is|are) (?:in|at|out|back|still|away|off|not|\w+ing)\b|\w (?:does|did|has) not\b",
    re.IGNORECASE,
)
"""What others want, do or are for now, and what is open: a message that settles it need not say so."""
_GENERAL = frozenset({"habit", "feeling"})
_NEWS = timedelta(days=7)
"""How long one may ask what came of a plan."""


def is_shown_unasked(memory: Memory, now: datetime) -> bool:
    """Whether a memory may be told that nobody asked for, at a time in the person's time zone."""
    said_on, today = memory.last_said_at.astimezone(now.tzinfo).date(), now.date()
    if is_unclear(memory) and (is_note(memory.text) or _POINTS_BACK.search(memory.text) or today - said_on >= _YEAR):
        return False
    is_pending = memory.source is Source.RULE_EXTRACTION and _PENDING.search(memory.text) is not None
    if is_pending and today - said_on >= _NEWS:
        return False
    return not is_outdated(memory.text, said_on, today, period=memory.period)


def is_unclear(memory: Memory) -> bool:
    """Whether rules read a memory without knowing what it is about, or only that it is a habit or a feeling."""
    is_general = memory.key is None or parse_key(memory.key).attribute in _GENERAL
    return memory.source is Source.RULE_EXTRACTION and is_general


def is_outdated(text: str, said_on: date, today: date, *, period: str | None = None) -> bool:
    """Whether a statement has become untrue since the day on which it was said."""
    if today - said_on >= _YEAR and _FOR_A_YEAR.search(text):
        return True
    days = days_of(period)
    last_day = days[1] if days else last_day_mentioned(text, said_on)
    is_ahead = _IS_AHEAD.search(text) is not None or (days is not None and said_on < days[0])
    return is_ahead and last_day is not None and last_day < today - _NEWS
