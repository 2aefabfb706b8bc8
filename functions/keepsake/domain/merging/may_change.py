"""Whether what is said later may change a memory: it is current, and what the statement tells happened since then."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from keepsake.domain.evidence.written_dates import last_day_mentioned
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Memory, MemoryType, Source
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import word_set

_DEATH = re.compile(r"\b(?:died|passed away)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:in|since|of|until|till) ((?:19|20)\d\d)\b", re.IGNORECASE)
_ANY_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NEGATIVE_VALUES = word_set("no dislike 0")
_NEVER_CHANGED = word_set("lost used_to switched work_change past")
_ONE_DAY = timedelta(days=1)
"""What the dates of the person's time zone may differ from those of UTC."""


def may_change(memory: Memory, said_at: datetime) -> bool:
    """Whether a later message may end the memory or cast doubt on it: it is current, and says that something holds."""
    return (
        is_current(memory, said_at)
        and said_at >= memory.last_said_at
        and memory.source is not Source.FOLD
        and memory.type is not MemoryType.EMOTION
        and memory.value not in _NEGATIVE_VALUES
        and _NEVER_CHANGED.isdisjoint(parse_key(memory.key).rest)
        and _DEATH.search(memory.text) is None
    )


def happened_since(text: str, memory: Memory, said_at: datetime) -> bool:
    """Whether a text mentions no year before the memory, and its last day, if any, is neither before it nor to come."""
    if any(int(year[1]) < memory.last_said_at.year for year in _YEAR.finditer(text)):
        return False
    day = last_day_mentioned(text, memory.last_said_at.date())
    return day is None or (memory.last_said_at - _ONE_DAY).date() <= day <= (said_at + _ONE_DAY).date()


def names_only_years_since(text: str, memory: Memory, said_at: datetime) -> bool:
    """Whether every year that a text mentions is one between the memory and now."""
    return all(memory.last_said_at.year <= int(year[0]) <= said_at.year for year in _ANY_YEAR.finditer(text))
