"""Selects among few memories by one score, in which similarity, words and topics are weighed together.

Among hundreds of memories one signal alone picks out the right ones. Among thirty, the best one by any signal is often
beside the point: what several signals agree on concerns the message, what a weak one says alone does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.context.scoring import ScoredMemory, is_one_of_few, is_relevant_by_words
from keepsake.domain.context.topic_selection import topic_scores


@dataclass(frozen=True, slots=True)
class WeightsOfFew:
    """What the signals weigh, in standard deviations of similarity among the person's own memories.

    They are those of a logistic regression on people and chats that others wrote, rounded.
    """

    contrast: float = 0.4
    """A standard deviation above the similarity of unrelated texts."""
    word: float = 1.7
    """A shared word that no other memory has."""
    topic: float = 3.2
    """A topic that the message asks for and no other memory has."""
    floor: float = 3.6
    """From this score on, a memory is relevant …"""
    distance: float = 3.6
    """… unless it is this far behind the best one …"""
    contrast_alone: float = 3.6
    """… or shares no word and no topic, and is not this much above the similarity of unrelated texts."""
    usual_mean: float = 0.65
    """How much above the similarity of unrelated texts the memories of a person are on average …"""
    usual_deviation: float = 1.2
    """… and their standard deviation: among two memories none can stand out, however close it is …"""
    usual_count: int = 10
    """… so a person's own mean and deviation count as if so many usual memories were added."""


WEIGHTS_OF_FEW = WeightsOfFew()


def can_weigh_together(candidates: Sequence[ScoredMemory]) -> bool:
    """Whether the person has few memories, and these are compared with the message by vectors."""
    return any(c.contrast is not None for c in candidates) and any(map(is_one_of_few, candidates))


def select_of_few(candidates: Sequence[ScoredMemory], message: str) -> list[ScoredMemory]:
    """The memories that a message needs, best first; one that is not embedded yet is judged by its words as well."""
    topics = topic_scores(candidates, message)
    scores = _scores(candidates, topics)
    floor = max(WEIGHTS_OF_FEW.floor, max(scores.values(), default=0.0) - WEIGHTS_OF_FEW.distance)

    def is_relevant(c: ScoredMemory) -> bool:
        number = c.memory.memory_no
        if c.contrast is None and is_relevant_by_words(c):
            return True
        is_similar = c.contrast is not None and c.contrast >= WEIGHTS_OF_FEW.contrast_alone
        return scores[number] >= floor and (is_similar or c.lexical > 0 or topics.get(number, 0.0) > 0)

    return sorted(filter(is_relevant, candidates), key=lambda c: -scores[c.memory.memory_no])


def _scores(candidates: Sequence[ScoredMemory], topics: Mapping[int, float]) -> dict[int, float]:
    """The score of each memory, by its number.

    One without a similarity counts as the least similar one: the database leaves out what is less similar than these.
    """
    compared = [c for c in candidates if c.contrast is not None]
    minimum = min(map(_similarity_score, compared), default=0.0)
    return {
        c.memory.memory_no: (minimum if c.contrast is None else _similarity_score(c))
        + WEIGHTS_OF_FEW.word * (c.lexical + c.neighbor_score if c.lexical > 0 else 0.0)
        + WEIGHTS_OF_FEW.topic * topics.get(c.memory.memory_no, 0.0)
        for c in candidates
    }


def _similarity_score(candidate: ScoredMemory) -> float:
    weights, contrast, count = WEIGHTS_OF_FEW, candidate.contrast or 0.0, candidate.memory_count
    usual = (contrast - weights.usual_mean) / weights.usual_deviation
    deviation = (count * candidate.deviation + weights.usual_count * usual) / (count + weights.usual_count)
    return deviation + weights.contrast * contrast
