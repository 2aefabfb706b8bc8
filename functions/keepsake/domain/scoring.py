"""How much a memory counts: the prior, BM25's constants, and the named strategies that rank what a message asks for.

``sql/selection.sql`` computes the prior and BM25 over all of a person's memories with the numbers of ``Weights``;
here the few rows it returns get the one score they are ranked by.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from uuid import UUID

from keepsake.domain.memory import Memory, MemoryType

_DAY_SECONDS = 86_400.0


class Strategy(StrEnum):
    """The named ways to rank memories; ``fused`` is the default, the others are those of the seeds."""

    FUSED = "fused"
    """Words and meaning, half and half where there are vectors; the prior breaks ties."""
    PRIOR = "prior"
    """The plain score of seed 003: type, confidence, recency, use."""
    KEYWORD = "keyword"
    """The keyword score of seed 000: shared words, importance, use within the last week."""
    BLEND = "blend"
    """The blend of seed 004: similarity 0.4, recency 0.3, frequency of its entities 0.3."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number selection uses; the defaults are what the benchmarks in ``bench/`` chose."""

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
    k1: float = 0.9
    """BM25: how soon a repeated word stops counting."""
    b: float = 0.4
    """BM25: how much a long memory is held back."""
    similarity_share: float = 0.5
    """The share of similarity against words, where a memory has a vector."""
    prior_share: float = 0.01
    """The prior's share of the fused score: enough to break ties, too little to outweigh a word."""
    rarity_floor: float = 0.5
    """A memory is relevant if the words it shares weigh this much of one word found in no other memory …"""
    coverage_floor: float = 0.5
    """… or make up this much of the weight of all that was asked."""
    similarity_floor: float = 0.25
    """… or if it means something at least this similar."""
    half_life_days: float = 14.0
    """The half-life of recency in seed 004's blend."""


DEFAULT_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Scored:
    """One candidate as the database scored it for a message."""

    memory: Memory
    prior: float
    lexical: float = 0.0
    """BM25 of the message's words; 0 where none is shared."""
    rarity: float = 0.0
    """Weight of the shared words, 1.0 being one word that no other memory has."""
    coverage: float = 0.0
    """Weight of the shared words as a share of all words asked for."""
    matched: tuple[str, ...] = ()
    """The shared words, stemmed, heaviest first."""
    similarity: float | None = None
    """Cosine similarity, where there are vectors."""


def recency_days(memory: Memory, now: datetime) -> float:
    """Days since the memory was last used, or made."""
    since = memory.last_referenced_at or memory.created_at
    return max(0.0, (now - since).total_seconds() / _DAY_SECONDS)


def prior(memory: Memory, now: datetime, weights: Weights = DEFAULT_WEIGHTS) -> float:
    """Seed 003: ``type_weight * confidence * recency + 0.1 * reference_count``, the count saturating at 10."""
    recency = 1.0 / (1.0 + min(recency_days(memory, now), weights.recency_cap_days))
    used = weights.reference * min(memory.reference_count, weights.reference_cap)
    return weights.by_type[memory.type] * memory.confidence * recency + used


def is_relevant(candidate: Scored, weights: Weights = DEFAULT_WEIGHTS) -> bool:
    """Whether the message asks for this memory: by words rare enough, by most of what it says, or by meaning."""
    by_words = candidate.rarity >= weights.rarity_floor or candidate.coverage >= weights.coverage_floor
    by_meaning = candidate.similarity is not None and candidate.similarity >= weights.similarity_floor
    return (candidate.lexical > 0 and by_words) or by_meaning


def score(
    candidates: Sequence[Scored],
    *,
    message: str,
    now: datetime,
    strategy: Strategy = Strategy.FUSED,
    weights: Weights = DEFAULT_WEIGHTS,
) -> dict[UUID, float]:
    """The score of each candidate by memory id, under the strategy asked for; more is better."""
    match strategy:
        case Strategy.FUSED:
            scorer = _fused(candidates, weights)
        case Strategy.PRIOR:
            scorer = _prior
        case Strategy.KEYWORD:
            scorer = _keyword(message, now)
        case Strategy.BLEND:
            scorer = _blend(candidates, now, weights)
    return {candidate.memory.id: scorer(candidate) for candidate in candidates}


_Scorer = Callable[[Scored], float]


def _prior(candidate: Scored) -> float:
    return candidate.prior


def _fused(candidates: Sequence[Scored], weights: Weights) -> _Scorer:
    """Each signal brought to 0..1 within the candidates, then weighed."""
    best_words = max((c.lexical for c in candidates), default=0.0) or 1.0
    similarities = [c.similarity for c in candidates if c.similarity is not None]
    low, high = min(similarities, default=0.0), max(similarities, default=0.0)
    span = (high - low) or 1.0
    share = weights.similarity_share if similarities else 0.0

    def scorer(candidate: Scored) -> float:
        words = candidate.lexical / best_words
        meaning = 0.0 if candidate.similarity is None else (candidate.similarity - low) / span
        return (1.0 - share) * words + share * meaning + weights.prior_share * candidate.prior

    return scorer


def _keyword(message: str, now: datetime) -> _Scorer:
    """Seed 000: ``overlap * 0.3 + importance * 0.5 + 0.1 if used within seven days``, importance as a share of 3."""
    asked = _words(message)

    def scorer(candidate: Scored) -> float:
        memory = candidate.memory
        used = memory.last_referenced_at is not None and recency_days(memory, now) < 7
        return len(asked & _words(memory.text)) * 0.3 + memory.importance / 3 * 0.5 + (0.1 if used else 0.0)

    return scorer


def _blend(candidates: Sequence[Scored], now: datetime, weights: Weights) -> _Scorer:
    """Seed 004's blend; where there is no vector, the words stand in for similarity."""
    entities = Counter(ref for c in candidates for ref in set(c.memory.entity_refs))
    most = max(entities.values(), default=1)
    best_words = max((c.lexical for c in candidates), default=0.0) or 1.0

    def scorer(candidate: Scored) -> float:
        memory = candidate.memory
        meaning = candidate.lexical / best_words if candidate.similarity is None else candidate.similarity
        recency: float = 0.5 ** (recency_days(memory, now) / weights.half_life_days)
        frequency = max((entities[ref] for ref in memory.entity_refs), default=0) / most
        return 0.4 * meaning + 0.3 * recency + 0.3 * frequency

    return scorer


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
