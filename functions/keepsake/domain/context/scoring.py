"""Scores memories: which are relevant, what their neighbors add, and the named strategies that rank them.

``sql/context_candidates.sql`` computes the prior and weighs words with the numbers of ``Weights``; here the rows it
returns get the score that they are ranked by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from math import inf
from types import MappingProxyType
from typing import NamedTuple

from keepsake.domain.memory import Memory, MemoryType

_DAY_SECONDS = 86_400.0


class Strategy(StrEnum):
    """The named ways to rank memories; ``fused`` is the default, the others are for comparison."""

    FUSED = "fused"
    """Words, and similarity where there are vectors; the prior breaks ties."""
    PRIOR = "prior"
    """The prior alone: type, confidence, recency, use."""
    KEYWORD = "keyword"
    """Shared words, importance, use within the last week."""
    BLEND = "blend"
    """Similarity 0.4, recency 0.3, frequency of its entities 0.3."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number selection uses, but for those in ``few_memories``; the benchmarks in ``bench/`` chose them."""

    by_type: Mapping[MemoryType, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                MemoryType.GOAL: 1.5,
                MemoryType.PATTERN: 1.5,
                MemoryType.RELATIONSHIP: 1.3,
                MemoryType.FACT: 1.0,
                MemoryType.EMOTION: 0.8,
            }
        )
    )
    """The prior's weight of each type."""
    recency_cap_days: float = 30.0
    """The prior looks back no further."""
    reference: float = 0.1
    """What one use adds to the prior."""
    reference_cap: int = 10
    """Uses beyond this add nothing."""
    related_share: float = 0.55
    """The weight of a word of query expansion, as a share of a word of the message."""
    statement_length: int = 20
    """Up to so many words, stop words aside, a memory is a statement, whose length says nothing …"""
    length_share: float = 0.3
    """… and beyond, its lexical score is divided by 1 plus this for each time that it is longer."""
    neighbor_shares: tuple[float, ...] = (0.35, 0.3)
    """The share of the lexical score that a memory gets from its neighbor, from the next but one, …"""
    neighbor_window: timedelta = timedelta(hours=1)
    """… where both were written within this time."""
    neighbor_sources: int = 10
    """How many of the best memories give a share to their neighbors."""
    words_share: float = 2.5
    """How many standard deviations of similarity one word is worth that no other memory has."""
    prior_share: float = 0.01
    """The prior's share of the fused score: enough to break ties, too little to outweigh a word."""
    word_floor: float = 0.4
    """A memory is relevant if its shared words weigh this much of a word that no other memory has …"""
    coverage_floor: float = 0.4
    """… or this much of the weight of all words of the query …"""
    contrast_floor: float = 2.5
    """… or if its similarity is so many standard deviations above that of unrelated texts …"""
    message_floor: float = 4.0
    """… and the best one's this many: the best of many memories stands out a little from any message."""
    doubt_floor: float = 1.5
    """Few shared words do not suffice where the similarity is closer than this to that of unrelated texts."""
    doubt_coverage: float = 0.5
    """… unless they are this much of the query."""
    general_floor: float = 6.0
    """To a question about the world, a memory that shares less than ``coverage_floor`` must be as similar as this."""
    best_share: float = 0.3
    """With vectors, a memory is left out whose score is less than this share of the best one's …"""
    best_share_of_few: float = 0.55
    """… or less than this share, also by words alone, where the person has few memories."""
    few_memories: int = 40
    """Up to so many are few; up to twice as many the share falls to the other one."""
    topic_floor: float = 0.65
    """A memory is shown for its topic alone from this score on."""
    half_life_days: float = 14.0
    """The half-life of recency in the strategy ``blend``."""


WEIGHTS = Weights()


class ScoredMemory(NamedTuple):
    """One candidate as the database scored it for a message; a tuple, as memories are."""

    memory: Memory
    prior: float
    lexical: float = 0.0
    """Weight of the shared words, 1.0 being one word that no other memory has; 0 where none is shared."""
    coverage: float = 0.0
    """Weight of the shared words as a share of all words of the query."""
    matched: tuple[str, ...] = ()
    """The shared words, stemmed, heaviest first."""
    similarity: float | None = None
    """Cosine similarity, where there are vectors."""
    deviation: float = 0.0
    """Its similarity in standard deviations above the mean of the person's memories."""
    contrast: float | None = None
    """Its similarity in standard deviations above that of unrelated texts; None without vectors or calibration."""
    neighbor_score: float = 0.0
    """Its share of the lexical scores of its neighbors."""
    named: tuple[str, ...] = ()
    """The keys of its entities that the message names."""
    memory_count: int = 1_000
    """How many memories the person has in this profile."""


def recency_days(memory: Memory, now: datetime) -> float:
    """Days since the memory was last used, or made."""
    since = memory.last_referenced_at or memory.created_at
    return max(0.0, (now - since).total_seconds() / _DAY_SECONDS)


def is_relevant_by_words(candidate: ScoredMemory) -> bool:
    """Whether the memory shares rare words, or most words of the query, and its meaning is not another one.

    Where the message names an entity of the memory, if only by another name, its meaning is not another one.
    """
    heavy = candidate.lexical + candidate.neighbor_score >= WEIGHTS.word_floor
    by_lexical = candidate.lexical > 0 and (heavy or candidate.coverage >= WEIGHTS.coverage_floor)
    if candidate.contrast is None:
        return by_lexical
    is_doubtful = candidate.contrast < WEIGHTS.doubt_floor and candidate.coverage < WEIGHTS.doubt_coverage
    return by_lexical and (bool(candidate.named) or not is_doubtful)


def select_relevant(ranked: Sequence[ScoredMemory], scores: Mapping[int, float]) -> list[ScoredMemory]:
    """The memories that are relevant by words or by similarity, best first, without those far behind the best one.

    Of few memories, fewer concern one message: what is far behind is then left out sooner, and by words alone too.
    """
    closest = max((c.contrast for c in ranked if c.contrast is not None), default=0.0)
    floor = WEIGHTS.contrast_floor if closest >= WEIGHTS.message_floor else inf
    relevant = [c for c in ranked if (c.contrast is not None and c.contrast >= floor) or is_relevant_by_words(c)]
    best = max((scores[c.memory.memory_no] for c in relevant), default=0.0)
    return [c for c in relevant if scores[c.memory.memory_no] >= _floor_share(c) * best]


def answers_general_question(candidate: ScoredMemory) -> bool:
    """Whether a memory concerns even a question about the world: by most of its words, or by close similarity."""
    by_words = candidate.lexical > 0 and candidate.coverage >= WEIGHTS.coverage_floor
    return by_words or (candidate.contrast is not None and candidate.contrast >= WEIGHTS.general_floor)


MAX_FEW_MEMORIES = 2 * WEIGHTS.few_memories
"""A person with more memories has not few of them."""


def is_one_of_few(candidate: ScoredMemory) -> bool:
    """Whether the person has few memories, or not many more."""
    return candidate.memory_count < MAX_FEW_MEMORIES


def _fewness(candidate: ScoredMemory) -> float:
    return min(1.0, max(0.0, 2 - candidate.memory_count / WEIGHTS.few_memories))


def _floor_share(candidate: ScoredMemory) -> float:
    """The share of the best score that a memory needs; it falls with the number of memories."""
    of_many = 0.0 if candidate.contrast is None else WEIGHTS.best_share
    return of_many + (WEIGHTS.best_share_of_few - of_many) * _fewness(candidate)


def score_neighbors(candidates: Sequence[ScoredMemory]) -> list[ScoredMemory]:
    """The candidates with their neighbor scores: memories written one after the other are often about one thing.

    A memory that shares no word with the query gets nothing: being near is no reason to be shown.
    """
    by_lexical = sorted((c for c in candidates if c.lexical > 0), key=lambda c: (-c.lexical, c.memory.memory_no))
    best = {c.memory.memory_no: c for c in by_lexical[: WEIGHTS.neighbor_sources]}
    return [_with_neighbor_score(c, best) if c.lexical > 0 else c for c in candidates]


def _with_neighbor_score(candidate: ScoredMemory, best: Mapping[int, ScoredMemory]) -> ScoredMemory:
    memory, inherited, number = candidate.memory, 0.0, candidate.memory.memory_no
    for distance, share in enumerate(WEIGHTS.neighbor_shares, start=1):
        for other in (best.get(number - distance), best.get(number + distance)):
            if other is not None and abs(other.memory.created_at - memory.created_at) <= WEIGHTS.neighbor_window:
                inherited += share * other.lexical
    return candidate._replace(neighbor_score=inherited) if inherited else candidate


def score(
    candidates: Sequence[ScoredMemory],
    *,
    message: str,
    now: datetime,
    strategy: Strategy = Strategy.FUSED,
) -> dict[int, float]:
    """The score of each candidate by the number of its memory; more is better."""
    match strategy:
        case Strategy.FUSED:
            scorer: _Scorer = _fused
        case Strategy.PRIOR:
            scorer = _prior
        case Strategy.KEYWORD:
            scorer = _keyword(message, now)
        case Strategy.BLEND:
            scorer = _blend(candidates, now)
    return {candidate.memory.memory_no: scorer(candidate) for candidate in candidates}


_Scorer = Callable[[ScoredMemory], float]


def _prior(candidate: ScoredMemory) -> float:
    return candidate.prior


def _fused(candidate: ScoredMemory) -> float:
    """Lexical score plus deviation of similarity; a memory without a vector counts as average."""
    words = candidate.lexical + candidate.neighbor_score
    return WEIGHTS.words_share * words + candidate.deviation + WEIGHTS.prior_share * candidate.prior


def _keyword(message: str, now: datetime) -> _Scorer:
    """``overlap * 0.3 + importance * 0.5 + 0.1 if used within seven days``, importance as a share of 3."""
    query_words = _words(message)

    def scorer(candidate: ScoredMemory) -> float:
        memory = candidate.memory
        used = memory.last_referenced_at is not None and recency_days(memory, now) < 7
        return len(query_words & _words(memory.text)) * 0.3 + memory.importance / 3 * 0.5 + (0.1 if used else 0.0)

    return scorer


def _blend(candidates: Sequence[ScoredMemory], now: datetime) -> _Scorer:
    """The weighted sum of similarity, recency and frequency; without a vector the lexical score replaces similarity."""
    entities = Counter(ref for c in candidates for ref in set(c.memory.entity_refs))
    max_frequency = max(entities.values(), default=1)
    best_words = max((c.lexical for c in candidates), default=0.0) or 1.0

    def scorer(candidate: ScoredMemory) -> float:
        memory = candidate.memory
        relevance = candidate.lexical / best_words if candidate.similarity is None else candidate.similarity
        recency: float = 0.5 ** (recency_days(memory, now) / WEIGHTS.half_life_days)
        frequency = max((entities[ref] for ref in memory.entity_refs), default=0) / max_frequency
        return 0.4 * relevance + 0.3 * recency + 0.3 * frequency

    return scorer


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
