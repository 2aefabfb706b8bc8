"""What a first context shows beside what is relevant: who the person is, or what was said in the period asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import NamedTuple

from keepsake.domain.context.life_topics import LIFE_TOPICS, LifeTopic, is_taste, life_topic
from keepsake.domain.context.scoring import ScoredMemory
from keepsake.domain.lifecycle.memory_period import days_of
from keepsake.domain.memory import Memory

MIN_FIRST_CONTEXT_IMPORTANCE = 2
"""The first context of a conversation shows memories of at least this importance, beside who the person is."""

_MONTH = timedelta(days=31)

Reason = Callable[[ScoredMemory], str]
Opening = Callable[[Sequence[ScoredMemory]], Iterator[tuple[ScoredMemory, Reason]]]
"""What of the memories a first context shows, best first, each with the reason."""


class QuestionSpan(NamedTuple):
    """When a period that a message asks about begins and ends, and its first and last date."""

    start: datetime
    end: datetime
    days: tuple[date, date] | None = None


def introduce(pool: Sequence[ScoredMemory]) -> Iterator[tuple[ScoredMemory, Reason]]:
    """Who the person is, for the first context of a conversation.

    First the newest important memory, then the best about home, work, family, health and goals each, then the others
    about these, other important ones, and tastes. Neither use nor time changes the list.
    """
    newest_first = sorted(pool, key=lambda c: (c.memory.created_at, c.memory.memory_no), reverse=True)
    by_importance = sorted(newest_first, key=lambda c: -c.memory.importance)
    topics: dict[int, LifeTopic | None] = {}

    def topic_of(c: ScoredMemory) -> LifeTopic | None:  # found when it is asked for: a few memories of many are
        if c.memory.memory_no not in topics:
            topics[c.memory.memory_no] = life_topic(c.memory)
        return topics[c.memory.memory_no]

    yield from ((c, _is_new) for c in islice(filter(_has_importance, newest_first), 1))
    for topic in LIFE_TOPICS:
        yield from ((c, _topic_reason(topic)) for c in islice((c for c in by_importance if topic_of(c) == topic), 1))
    for tastes in (False, True):
        for c in by_importance:
            if is_taste(c.memory) is tastes and (topic_of(c) or _has_importance(c)):
                yield c, _topic_reason(topic_of(c)) if topic_of(c) else _is_important


def _has_importance(candidate: ScoredMemory) -> bool:
    return candidate.memory.importance >= MIN_FIRST_CONTEXT_IMPORTANCE


def said_within(
    pool: Sequence[ScoredMemory],
    *,
    spans: Sequence[QuestionSpan],
    is_quoted: Callable[[Memory], bool] | None = None,
) -> Iterator[tuple[ScoredMemory, Reason]]:
    """What was said in the periods of a question or is about their days: the most important first, then the newest.

    What was said then and ``is_quoted`` by their summaries is told by these.
    """

    def was_said(memory: Memory) -> bool:
        return any(one.start <= at < one.end for one in spans for at in (memory.valid_from, memory.last_said_at))

    def is_untold(memory: Memory) -> bool:
        return was_said(memory) and not (is_quoted and is_quoted(memory))

    found = [c for c in pool if is_untold(c.memory) or any(_is_about(c.memory.period, one.days) for one in spans)]
    ranked = sorted(found, key=lambda c: (c.memory.importance, c.memory.last_said_at, c.memory.memory_no), reverse=True)
    yield from ((c, _is_said_then if was_said(c.memory) else _is_about_then) for c in ranked)


def _is_about(period: str | None, within: tuple[date, date] | None) -> bool:
    """Whether a memory is about days of a period; one that is about years is about none of their days."""
    days = days_of(period)
    if days is None or within is None or days[1] - days[0] > _MONTH:
        return False
    return days[0] <= within[1] and within[0] <= days[1]


def _is_about_then(_candidate: ScoredMemory) -> str:
    return "about the period that is asked about"


def _is_said_then(_candidate: ScoredMemory) -> str:
    return "said in the period that is asked about"


def _is_new(_candidate: ScoredMemory) -> str:
    return "the newest important memory"


def _is_important(_candidate: ScoredMemory) -> str:
    return "important"


def _topic_reason(topic: LifeTopic | None) -> Reason:
    return lambda _candidate: f"who the person is: {topic}"
