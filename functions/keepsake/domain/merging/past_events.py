"""Compares what a statement tells has happened with a memory: was it since then, and not of a child known before?"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from keepsake.domain.english.last_day_mentioned import last_day_mentioned
from keepsake.domain.memory import Memory
from keepsake.domain.merging.change_targets import CHILDREN
from keepsake.domain.merging.known_names import known_names
from keepsake.domain.text import words

_ONE_DAY = timedelta(days=1)
"""What the dates of the person's time zone may differ from those of UTC."""


def happened_since(text: str, memory: Memory, said_at: datetime) -> bool:
    """Whether the last day that a text mentions, if any, is neither before the memory nor to come."""
    day = last_day_mentioned(text, memory.last_said_at.date())
    return day is None or (memory.last_said_at - _ONE_DAY).date() <= day <= (said_at + _ONE_DAY).date()


def names_older_child(text: str, memory: Memory, memories: Iterable[Memory]) -> bool:
    """Whether a text names a child that was known before the memory was said."""
    before = [one for one in memories if one.valid_from < memory.valid_from]
    names = {name for name, (relation, _) in known_names(before).items() if relation in CHILDREN}
    return not names.isdisjoint(words(text))
