"""Finds the candidates of a context in Postgres, with their scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.context.identity_line import IDENTITY_SLOTS
from keepsake.domain.context.life_topics import LIFE_LEXEMES, MUST_NOT_MISS_LEXEMES
from keepsake.domain.context.limits import MAX_MEMORIES
from keepsake.domain.context.query import extract_query, has_words
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import MAX_FEW_MEMORIES, WEIGHTS, ScoredMemory, Strategy
from keepsake.domain.entities.entity import search_form
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import COLUMNS, memory_from

_SQL = queries.load("context_candidates")


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQuery:
    """What memories are searched for, and whose: one profile, written for one persona or for all.

    The ``text`` is the message, stemmed by each of ``languages`` (those the person writes in). The prior as strategy
    also gets the best by prior. ``shared`` leaves feelings out already here, so that they use no candidate's slot. A
    ``vector`` made by ``vector_model`` counts unless the text asks for nothing, like a greeting.
    """

    user_id: UUID
    profile_id: UUID
    persona_id: str | None
    types: Collection[MemoryType]
    now: datetime
    text: str = ""
    languages: Collection[str] = ("en",)
    shared: bool = False
    strategy: Strategy = Strategy.FUSED
    limit: int = MAX_MEMORIES
    vector: Sequence[float] | None = None
    vector_model: str | None = None
    all_of_few: bool = False
    """Whether all memories are candidates where the person has few: a message may need one for its topic."""

    def visible_params(self) -> dict[str, Any]:
        """The parameters of ``visible_memories``; an array as its text is read once, a list for every row."""
        return {str(kind): weight for kind, weight in WEIGHTS.by_type.items()} | {
            "user_id": self.user_id,
            "profile_id": self.profile_id,
            "persona_id": self.persona_id,
            "types": _array(self.types),
            "now": self.now,
            "shared": self.shared,
            "recency_cap_days": WEIGHTS.recency_cap_days,
            "reference": WEIGHTS.reference,
            "reference_cap": WEIGHTS.reference_cap,
        }

    def params(self) -> dict[str, Any]:
        """The parameters of ``select_candidates``."""
        subject = extract_query(self.text)
        return {
            **self.visible_params(),
            "languages": _array(dict.fromkeys(self.languages)),
            "warning_terms": self.terms(MUST_NOT_MISS_LEXEMES),
            "vector_model": self.vector_model,
            "query": subject,
            "related": expand_query(self.text),
            "searchable_message": search_form(self.text),
            "query_vector": _real_array(self.vector) if self.vector is not None and has_words(subject) else None,
            "by_message": 2 * self.limit,
            "by_core": self.limit,
            "by_entity": self.limit,
            "few": MAX_FEW_MEMORIES if self.all_of_few else 0,
            "related_share": WEIGHTS.related_share,
            "length_share": WEIGHTS.length_share,
            "statement_length": WEIGHTS.statement_length,
            "words_share": WEIGHTS.words_share,
            "by_side": WEIGHTS.neighbor_sources,
        }

    def terms(self, lexemes: Iterable[str]) -> str:
        """An array of terms of the index of the profile's words, as ``keepsake.profile_terms`` writes them."""
        return _array(f"{self.profile_id}{lexeme}" for lexeme in lexemes)

    @property
    def best_by_prior(self) -> int:
        """How many of the best are read: more where some may be left out, or have a line of their own."""
        return 2 * self.limit if self.shared else self.limit + len(IDENTITY_SLOTS) + len(ANSWER_SLOTS)


async def find_candidates(conn: Connection, query: CandidateQuery) -> list[ScoredMemory]:
    """The person's current memories that a selection may choose from, scored: a few times ``limit`` at most.

    The connection must have the rights of the service.
    """
    rows = await _SQL["select_candidates"].all(conn, tuple_row, **query.params())
    if query.strategy is Strategy.PRIOR:
        best = _SQL["select_best_by_prior"]
        rows += await best.all(conn, tuple_row, **query.visible_params(), by_prior=query.best_by_prior)
    found: dict[int, ScoredMemory] = {}
    for row in rows:  # those with words come first, and a memory may come again without
        if row[1] not in found:
            found[row[1]] = _scored(row)
    return list(found.values())


async def find_introduction(conn: Connection, query: CandidateQuery) -> list[ScoredMemory]:
    """Who the person is, whatever the message: candidates for the first context of a conversation."""
    rows = await _SQL["select_introduction"].all(
        conn,
        tuple_row,
        **query.visible_params(),
        life_terms=[query.terms(lexemes) for lexemes in LIFE_LEXEMES],
        by_prior=query.best_by_prior,
    )
    return [_scored(row) for row in rows]


def _array(words: Iterable[str]) -> str:
    """An array of plain words as Postgres writes it."""
    return "{" + ",".join(words) + "}"


def _real_array(vector: Sequence[float]) -> str:
    """A vector as Postgres writes an array of ``real``; psycopg takes ten times as long for a list."""
    return "{" + ("%.9g," * len(vector) % tuple(vector))[:-1] + "}"


def _scored(row: Sequence[Any]) -> ScoredMemory:
    memory = memory_from(*row[:COLUMNS])
    if len(row) == COLUMNS + 1:
        return ScoredMemory(memory, row[COLUMNS])
    prior, lexical, similarity, deviation, contrast, coverage, matched, called, count = row[COLUMNS:]
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
