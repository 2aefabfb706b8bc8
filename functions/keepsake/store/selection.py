"""Asks Postgres for the few memories a message may need, already scored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.domain.context.identity_line import IDENTITY_SLOTS
from keepsake.domain.context.limits import MAX_MEMORIES
from keepsake.domain.context.query import extract_query, has_words
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import DEFAULT_WEIGHTS, ScoredMemory, Strategy, Weights
from keepsake.domain.entities.entity import search_form
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import COLUMNS, memory_from

_SQL = queries.load("selection")


async def candidates(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None,
    types: Collection[MemoryType],
    query: str,
    now: datetime,
    languages: Collection[str] = ("en",),
    first_message: bool = False,
    best_alone: bool = False,
    shared: bool = False,
    strategy: Strategy = Strategy.FUSED,
    breadth: int = MAX_MEMORIES,
    weights: Weights = DEFAULT_WEIGHTS,
    question_vector: Sequence[float] | None = None,
    vector_model: str | None = None,
) -> list[ScoredMemory]:
    """The person's current memories that ``domain.selection.select`` may choose from: a few times ``breadth`` at most.

    They are of one profile, written for this persona or for all, and of the allowed types. ``query`` is the message,
    stemmed by each of ``languages`` (those the person writes in). Only a first message, or the plain prior as the
    strategy, gets the best by prior as well; ``best_alone`` asks for these and nothing else. ``shared`` leaves feelings
    out already here, so that they take no candidate's place. With ``question_vector``, made by ``vector_model``, what
    the message means counts as well, unless it asks for nothing (a greeting). ``conn`` is the service's.
    """
    parameters = {
        "user_id": user_id,
        "profile_id": profile_id,
        "persona_id": persona_id,
        "types": [str(allowed) for allowed in types],
        "languages": list(dict.fromkeys(languages)),
        "now": now,
        "shared": shared,
        "include_best_by_prior": first_message or best_alone or strategy is Strategy.PRIOR,
        "vector_model": vector_model,
        **_question(query, question_vector),
        **_breadths(breadth, shared=shared, best_alone=best_alone),
        **_numbers(weights),
    }
    rows = await _SQL["select_candidates"].all(conn, tuple_row, **parameters)
    found: dict[UUID, ScoredMemory] = {}
    for row in rows:  # those with words come first, and a memory may come again without
        if row[0] not in found:
            found[row[0]] = _scored(row)
    return list(found.values())


def _question(query: str, vector: Sequence[float] | None) -> dict[str, Any]:
    """What is asked, in words and in meaning; that of a mere greeting is left aside."""
    subject = extract_query(query)
    meaning = list(vector) if vector is not None and has_words(subject) else None
    return {
        "query": subject,
        "related": expand_query(query),
        "searchable_message": search_form(query),
        "query_vector": meaning,
    }


def _breadths(breadth: int, *, shared: bool, best_alone: bool) -> dict[str, int]:
    """How many candidates of each kind: more where some may be left out, or change places, afterwards."""
    best = 2 * breadth if shared else breadth + len(IDENTITY_SLOTS)
    always_shown = 0 if best_alone else breadth
    return {"by_message": 2 * breadth, "by_core": always_shown, "by_entity": always_shown, "by_prior": best}


def _numbers(weights: Weights) -> dict[str, float]:
    """The weights as the query's parameters."""
    by_type = {str(kind): weight for kind, weight in weights.by_type.items()}
    return by_type | {
        "recency_cap_days": weights.recency_cap_days,
        "reference": weights.reference,
        "reference_cap": weights.reference_cap,
        "related_share": weights.related_share,
        "words_share": weights.words_share,
        "by_side": weights.neighbor_sources,
    }


def _scored(row: Sequence[Any]) -> ScoredMemory:
    _profile_id, prior, lexical, similarity, deviation, coverage, matched, called = row[COLUMNS:]
    memory = memory_from(*row[:COLUMNS])
    named = tuple(ref for ref in memory.entity_refs if ref in called) if called else ()
    return ScoredMemory(
        memory, prior, lexical, coverage or 0.0, tuple(matched or ()), similarity, deviation or 0.0, named=named
    )
