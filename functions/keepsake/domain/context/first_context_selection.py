"""What a first context shows beside what is relevant: who the person is, or what was said in the period asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from keepsake.domain.context.life_topics import LIFE_TOPICS, LifeTopic, is_taste, life_topic
from keepsake.domain.context.scoring import ScoredMemory

MIN_FIRST_CONTEXT_IMPORTANCE = 2
"""The first context of a conversation shows memories of at least this importance, beside who the person is."""

Reason = Callable[[ScoredMemory], str]
Opening = Callable[[Sequence[ScoredMemory]], Iterator[tuple[ScoredMemory, Reason]]]
"""What of the memories a first context shows, best first, each with the reason."""


def introduce(pool: Sequence[ScoredMemory]) -> Iterator[tuple[ScoredMemory, Reason]]:
    """Who the person is, for the first context of a conversation.

    First the newest important memory, then the best about home, work, family, health and goals each, then the others
    about these, other important ones, and tastes. Neither use nor time changes the list.
    """
    newest_first = sorted(pool, key=lambda c: (c.memory.created_at, c.memory.memory_no), reverse=True)
    important = [c for c in newest_first if c.memory.importance >= MIN_FIRST_CONTEXT_IMPORTANCE]
    by_importance = sorted(newest_first, key=lambda c: -c.memory.importance)
    topic_of = {c.memory.id: life_topic(c.memory) for c in by_importance}
    yield from ((c, _is_new) for c in important[:1])
    best_of_topic = (next((c for c in by_importance if topic_of[c.memory.id] == topic), None) for topic in LIFE_TOPICS)
    yield from ((c, _topic_reason(topic_of[c.memory.id])) for c in best_of_topic if c is not None)
    rest = [c for c in by_importance if topic_of[c.memory.id] or c.memory.importance >= MIN_FIRST_CONTEXT_IMPORTANCE]
    for c in sorted(rest, key=lambda c: is_taste(c.memory)):
        topic = topic_of[c.memory.id]
        yield c, _topic_reason(topic) if topic else _is_important


def said_within(
    pool: Sequence[ScoredMemory], *, start: datetime, end: datetime
) -> Iterator[tuple[ScoredMemory, Reason]]:
    """What was said in a period, for a question about it: the most important first, of these the newest."""
    said = [c for c in pool if start <= c.memory.valid_from < end or start <= c.memory.last_said_at < end]
    ranked = sorted(said, key=lambda c: (c.memory.importance, c.memory.last_said_at, c.memory.memory_no), reverse=True)
    yield from ((c, _is_of_period) for c in ranked)


def _is_of_period(_candidate: ScoredMemory) -> str:
    return "said in the period that is asked about"


def _is_new(_candidate: ScoredMemory) -> str:
    return "the newest important memory"


def _is_important(_candidate: ScoredMemory) -> str:
    return "important"


def _topic_reason(topic: LifeTopic | None) -> Reason:
    return lambda _candidate: f"who the person is: {topic}"
