"""Erases every table and column that may contain a person's words, and counts their rows by the same conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.infra.database import Connection, queries
from keepsake.infra.database.queries import Query

_SQL = queries.load("erasure")

ERASED = (
    "waiting_jobs",
    "running_jobs",
    "webhook_deliveries",
    "pending_operations",
    "commands",
    "marks_on_answers",
    "injections",
    "extractions",
    "conversation_summaries",
    "daily_summaries",
    "history_summaries",
    "context_cache",
    "weekly_summaries",
    "yearly_comparisons",
    "monthly_summaries",
    "changes",
    "memory_vector_halves",
    "memory_vectors",
    "memory_index",
    "alias_proposals",
    "entities",
    "place_mentions",
    "places",
    "spine",
    "session_summaries",
    "forgotten_summaries",
    "session_state",
    "sessions",
    "todos",
    "user_memory",
    "summary_periods",
    "summary_marks",
    "due_contexts",
    "timezone_changes",
    "answers",
    "titles",
    "messages",
)
"""The queries in the order of erasure: rows that are found by way of other rows come first."""

_BY_IDS = frozenset({"waiting_jobs", "running_jobs"})
"""Queries of tables that do not say whose a row is."""

MAX_ROWS = 1_000
"""Memories that one statement deletes: each fires triggers and cascades, and a statement has a timeout."""
_ROWS_WITHOUT_TRIGGERS = 20
"""How many times as many rows of other tables: each statement passes over what those before it deleted."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows to erase: everything of a person, or the rows named here."""

    user_id: UUID
    now: datetime
    everything: bool = False
    include_messages: bool = False
    memory_ids: Sequence[UUID] = ()
    row_ids: Sequence[UUID] = ()
    message_ids: Sequence[UUID] = ()
    conversation_ids: Sequence[UUID] = ()
    own_conversation_ids: Sequence[UUID] = ()
    change_seqs: Sequence[int] = ()
    subject: str | None = None
    mentioning_ids: Sequence[UUID] = ()
    """The messages that mention the subject."""


async def erase(
    conn: Connection, scope: Scope, report: Callable[[int], None], max_rows: int = MAX_ROWS
) -> Counter[str]:
    """Erase the rows in scope for good; how many, by table or by table and blanked column.

    A statement deletes at most ``max_rows``; ``report`` is told after each how many are erased.
    """
    await _SQL["enable_hard_delete"].execute(conn)
    if scope.subject is not None:
        rewrite = _SQL["rewrite_mentioning"]
        await rewrite.execute(conn, **_params(rewrite, scope))
    erased: Counter[str] = Counter()
    for query in await _existing(conn):
        params = _params(query, scope)
        limit = max_rows if query.name == "user_memory" else _ROWS_WITHOUT_TRIGGERS * max_rows
        if "max_rows" in query.parameters:
            params["max_rows"] = limit
        is_complete = False
        while not is_complete:
            affected = await query.affect(conn, **params)
            erased[_label(query)] += affected
            report(erased.total())
            is_complete = "max_rows" not in params or affected < limit
    return erased


async def count(conn: Connection, scope: Scope) -> Counter[str]:
    """Count the rows that ``erase`` would affect."""
    counts: Counter[str] = Counter()
    for query in await _existing(conn):
        if query.count is not None:
            counts[_label(query)] += await query.count.value(conn, **_params(query.count, scope))
    return counts


def erasing_queries() -> list[Query]:
    """The queries that erase, in their order."""
    return [_SQL[name] for name in ERASED]


def exempt_columns() -> str:
    """The query of the columns without a person's words, with the reason of each."""
    return _SQL["exempt_columns"].sql


async def _existing(conn: Connection) -> list[Query]:
    """The queries whose table this database has; vectors are optional."""
    queried = erasing_queries()
    tables = set(await _SQL["existing_tables"].values(conn, names=[query.table for query in queried]))
    return [query for query in queried if query.table in tables]


def _label(query: Query) -> str:
    return f"{query.table}.{query.blanks[0]}" if query.blanks else query.table


def _params(query: Query, scope: Scope) -> dict[str, Any]:
    """The parameters of a query; the ids of all memories are sent only where they say more than whose they are."""
    values = {name: getattr(scope, name) for name in query.parameters - {"max_rows"}}
    if scope.everything and query.name not in _BY_IDS and "memory_ids" in values:
        values["memory_ids"] = ()
    return {
        name: list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        for name, value in values.items()
    }
