"""Finds the candidates of a context in Postgres, with their scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.context.identity_line import IDENTITY_SLOTS
from keepsake.domain.context.life_topics import MUST_NOT_MISS_LEXEMES, SEARCH_WORDS
from keepsake.domain.context.limits import MAX_MEMORIES
from keepsake.domain.context.query import extract_query, has_words
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import DEFAULT_WEIGHTS, ScoredMemory, Strategy, Weights
from keepsake.domain.entities.entity import search_form
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import COLUMNS, memory_from

_SQL = queries.load("context_candidates")


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery:
    """What memories are searched for, and whose: one profile, written for one persona or for all.

    The ``text`` is the message, stemmed by each of ``languages`` (those the person writes in). The prior as strategy
    also gets the best by prior; ``is_introduction`` asks only for who the person is. ``shared`` leaves feelings
    out already here, so that they use no candidate's slot. A ``vector`` made by ``vector_model`` counts
    unless the text asks for nothing, like a greeting.
    """

    user_id: UUID
    profile_id: UUID
    persona_id: str | None
    types: Collection[MemoryType]
    now: datetime
    text: str = ""
    languages: Collection[str] = ("en",)
    is_introduction: bool = False
    shared: bool = False
    strategy: Strategy = Strategy.FUSED
    limit: int = MAX_MEMORIES
    weights: Weights = DEFAULT_WEIGHTS
    vector: Sequence[float] | None = None
    vector_model: str | None = None

    def params(self) -> dict[str, Any]:
        """The parameters of ``select_candidates``."""
        subject = extract_query(self.text)
        return {
            "user_id": self.user_id,
            "profile_id": self.profile_id,
            "persona_id": self.persona_id,
            "types": [str(allowed) for allowed in self.types],
            "languages": list(dict.fromkeys(self.languages)),
            "now": self.now,
            "shared": self.shared,
            "include_best_by_prior": self.strategy is Strategy.PRIOR,
            "include_introduction": self.is_introduction,
            "life_kinds": list(SEARCH_WORDS),
            "life_words": list(SEARCH_WORDS.values()),
            "warning_lexemes": list(MUST_NOT_MISS_LEXEMES),
            "vector_model": self.vector_model,
            "query": subject,
            "related": expand_query(self.text),
            "searchable_message": search_form(self.text),
            "query_vector": list(self.vector) if self.vector is not None and has_words(subject) else None,
            **_limits(self),
            **_weight_params(self.weights),
        }


async def find_candidates(conn: Connection, query: CandidateQuery) -> list[ScoredMemory]:
    """The person's current memories that a selection may choose from, scored: a few times ``limit`` at most.

    The connection must have the rights of the service.
    """
    rows = await _SQL["select_candidates"].all(conn, tuple_row, **query.params())
    found: dict[UUID, ScoredMemory] = {}
    for row in rows:  # those with words come first, and a memory may come again without
        if row[0] not in found:
            found[row[0]] = _scored(row)
    return list(found.values())


def _limits(query: CandidateQuery) -> dict[str, int]:
    """How many candidates of each kind: more where some may be left out, or change places, afterwards."""
    limit = query.limit
    best = 2 * limit if query.shared else limit + len(IDENTITY_SLOTS) + len(ANSWER_SLOTS)
    core = 0 if query.is_introduction else limit
    return {"by_message": 2 * limit, "by_core": core, "by_entity": core, "by_prior": best}


def _weight_params(weights: Weights) -> dict[str, float]:
    """The weights as the query's parameters."""
    by_type = {str(kind): weight for kind, weight in weights.by_type.items()}
    return by_type | {
        "recency_cap_days": weights.recency_cap_days,
        "reference": weights.reference,
        "reference_cap": weights.reference_cap,
        "related_share": weights.related_share,
        "length_share": weights.length_share,
        "statement_length": weights.statement_length,
        "words_share": weights.words_share,
        "by_side": weights.neighbor_sources,
    }


def _scored(row: Sequence[Any]) -> ScoredMemory:
    prior, lexical, similarity, deviation, contrast, coverage, matched, called, count = row[COLUMNS:]
    memory = memory_from(*row[:COLUMNS])
    named = tuple(ref for ref in memory.entity_refs if ref in called) if called else ()
    return ScoredMemory(
        memory,
        prior,
        lexical,
        coverage or 0.0,
        tuple(matched or ()),
        similarity,
        deviation or 0.0,
        contrast=contrast,
        named=named,
        memory_count=int(count),
    )
