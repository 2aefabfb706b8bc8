"""Reads what the spine is written from, and writes its versions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.sessions.spine import Spine
from keepsake.domain.summaries.citable import Citable, memory_ids_of, message_ids_of
from keepsake.domain.summaries.cited import Content, sources_of
from keepsake.domain.summaries.compose_sentences import full_date
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey
from keepsake.store.sessions import source_memory, source_todos
from keepsake.store.summaries import Authorship

_SQL = queries.load("spine")
_MAX_MEMORIES, _MAX_TODOS = 200, 20


@dataclass(frozen=True, slots=True)
class DueSpine:
    """How many messages the person has written since the newest version, and in all, and what wrote that version.

    Of a spine that its person forgot none is written.
    """

    since: int
    total: int
    generator: str | None
    is_forgotten: bool


async def read_due(conn: Connection, profile: ProfileKey) -> DueSpine:
    """Whether a version is due."""
    return await _SQL["due"].single(conn, class_row(DueSpine), **profile.params)


async def read_sources(
    conn: Connection, profile: ProfileKey, history: ZoneHistory, *, from_day: date | None = None
) -> SessionSources:
    """What holds of the person for every persona, the most important first, and the notes of their last sessions.

    What expires is left out, but for what is about a day from ``from_day`` on.
    """
    memories = await _SQL["spine_memories"].all(
        conn, dict_row, **profile.params, limit=_MAX_MEMORIES, from_day=from_day
    )
    todos = await _SQL["spine_todos"].all(conn, dict_row, **profile.params, limit=_MAX_TODOS)
    notes = await _SQL["spine_notes"].all(conn, dict_row, **profile.params)
    return SessionSources(
        [source_memory(row, history) for row in memories],
        source_todos(todos),
        notes=[_note(row, history) for row in notes],
    )


async def write(
    conn: Connection,
    profile: ProfileKey,
    spine: Spine,
    basis: Content | None,
    authorship: Authorship,
    *,
    message_count: int,
    now: datetime,
) -> None:
    """Write the next version; ``basis`` is what a model made it of."""
    ids = [item.id for items in spine.values() for item in items]
    content = {
        section.value: [
            {"id": str(item.id), "text": item.text} | ({"source": item.source} if item.source else {}) for item in items
        ]
        for section, items in spine.items()
    }
    await _SQL["write_spine"].execute(
        conn,
        **profile.params,
        **asdict(authorship),
        content=Jsonb(content),
        source_ids=list(dict.fromkeys([*ids, *(memory_ids_of(sources_of(basis)) if basis else ())])),
        message_ids=message_ids_of(sources_of(basis)) if basis else [],
        message_count=message_count,
        now=now,
    )


def _note(row: dict[str, Any], history: ZoneHistory) -> Citable:
    day = local_date(history, row["said_at"])
    return Citable(
        row["text"],
        full_date(day),
        day,
        "session",
        message_ids=tuple(row["message_ids"]),
        memory_ids=tuple(row["memory_ids"]),
        row_id=row["row_id"],
    )
