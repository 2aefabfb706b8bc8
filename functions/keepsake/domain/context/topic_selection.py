"""Selects memories by topic alone: what a message needs although it shares no word with it.

Only where a person has few memories: of many, words and vectors find enough, and too many are about each topic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from keepsake.domain.context.scoring import WEIGHTS, ScoredMemory, is_one_of_few
from keepsake.domain.context.topics import memory_topics, requested_topics

MAX_BY_TOPIC = 2
"""Memories of one context that are there for their topic alone."""

_RELATIVES = frozenset({"children", "partner", "parents", "relatives"})
_OF_OTHERS_SHARE = 0.5
"""What a topic counts in a memory of a relative whom the message does not concern: their work, or their illness."""
_NEXT_TOPICS_SHARE = 0.3
"""What further topics of a memory add to the best one."""
_REQUESTED_RELATIVE = 0.4
"""From this weight on, a message concerns a relative."""
_BEST_SHARE = 0.7
"""A memory whose score is less than this share of the best one's is left out."""


def select_by_topic(candidates: Sequence[ScoredMemory], message: str) -> list[ScoredMemory]:
    """The few memories whose topics the message asks for most; none where nothing stands out."""
    if not any(map(is_one_of_few, candidates)) or not (scores := topic_scores(candidates, message)):
        return []
    floor = max(WEIGHTS.topic_floor, _BEST_SHARE * max(scores.values(), default=0.0))
    found = [(scores[c.memory.memory_no], c.prior, c.memory.memory_no, c) for c in candidates]
    ranked = sorted((one for one in found if one[0] >= floor), key=itemgetter(0, 1, 2), reverse=True)
    return [candidate for _, _, _, candidate in ranked]


def topic_scores(candidates: Sequence[ScoredMemory], message: str) -> Mapping[int, float]:
    """How much of what the message asks for each memory is about, by its number; empty where it asks for no topic."""
    requested = requested_topics(message)
    if not requested:
        return {}
    topics = {c.memory.memory_no: memory_topics(c.memory.text) for c in candidates}
    counts = Counter(topic for of_memory in topics.values() for topic in of_memory)
    return {number: _score(of_memory, requested, counts) for number, of_memory in topics.items()}


def topic_reason(message: str, candidate: ScoredMemory) -> str:
    """The topic of a memory that the message asks for most, in words a person reads; empty where it asks for none."""
    requested = requested_topics(message)
    shared = sorted(requested.keys() & memory_topics(candidate.memory.text), key=lambda topic: -requested[topic])
    return f"about {shared[0].replace('_', ' ')}" if shared else ""


def _score(topics: Mapping[str, float], requested: Mapping[str, float], counts: Mapping[str, int]) -> float:
    """The weight of the topics that are asked for; a topic that few of the memories have tells more."""
    relatives = _RELATIVES.intersection(topics)
    is_of_others = bool(relatives) and not _is_requested(relatives, requested)
    shares = [
        requested[topic] * strength / counts[topic] ** 0.5
        * (_OF_OTHERS_SHARE if is_of_others and topic not in _RELATIVES else 1)
        for topic, strength in topics.items()
        if topic in requested
    ]  # fmt: skip
    return (1 - _NEXT_TOPICS_SHARE) * max(shares) + _NEXT_TOPICS_SHARE * sum(shares) if shares else 0.0


def _is_requested(relatives: Iterable[str], requested: Mapping[str, float]) -> bool:
    return any(requested.get(one, 0.0) >= _REQUESTED_RELATIVE for one in relatives)
