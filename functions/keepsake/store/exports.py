"""The sections of an export, and the rows of each.

A new table with a person's data gets a section here and a query of the same name in ``sql/exports.sql``, or a
reason why it is left out; a test compares both with the database.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.infra.database import Connection, become_service, queries

_SQL = queries.load("exports")
SCHEMA_VERSION = 1
"""Increases when documents become incompatible; new fields and sections do not count."""
_SHARED = "conversation_summaries"
"""Read as the service role, because the host may hide the messages that show whether others wrote."""
BATCH = 250
"""Rows that are fetched at a time."""


@dataclass(frozen=True, slots=True)
class Section:
    """One list of rows in an export; ``sql/exports.sql`` has a query of the same name.

    ``provenance`` is ``stated`` by the person, ``chosen`` as a setting, ``inferred`` from their messages, ``derived``
    from several rows, ``counted``, or ``mixed`` if each row has its own. An import restores the sections with
    ``is_restored``, whose rows are signed; consent is not among them, because a person gives it anew.
    """

    name: str
    tables: tuple[str, ...]
    provenance: str
    is_restored: bool = False


SECTIONS: tuple[Section, ...] = (
    Section("profiles", ("user_profile_list",), "stated"),
    Section("settings", ("user_memory_settings",), "chosen"),
    Section("consent", ("conversations_participants",), "chosen"),
    Section("entities", ("user_memory_entities",), "derived", is_restored=True),
    Section("alias_proposals", ("user_memory_alias_proposals",), "inferred", is_restored=True),
    Section("memories", ("user_memory",), "mixed", is_restored=True),
    Section("places", ("user_memory_places",), "inferred", is_restored=True),
    Section("place_mentions", ("user_memory_place_mentions",), "inferred", is_restored=True),
    Section("todos", ("user_memory_todos",), "inferred", is_restored=True),
    Section("conversation_summaries", ("conversation_summaries",), "derived"),
    Section("daily_summaries", ("user_memory_daily_summaries",), "derived"),
    Section("history_summaries", ("user_memory_history_summaries",), "derived"),
    Section("context_cache", ("keepsake.context_cache",), "derived"),
    Section("weekly_summaries", ("user_memory_weekly_summaries",), "derived"),
    Section("monthly_summaries", ("user_memory_monthly_summaries",), "derived"),
    Section("forgotten_summaries", ("user_memory_forgotten_summaries",), "chosen"),
    Section("yearly_comparisons", ("user_memory_yearly_comparisons",), "derived"),
    Section("sessions", ("user_memory_sessions",), "counted"),
    Section("session_summaries", ("user_memory_session_summaries",), "derived"),
    Section("session_state", ("user_memory_session_state",), "derived"),
    Section("spine", ("user_memory_spine",), "derived"),
    Section("changes", ("keepsake.changes",), "counted"),
    Section("extraction_counts", ("keepsake.extractions",), "counted"),
)
"""The sections in the order of the document."""

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "messages": "They belong to the chat application, which exports them itself; a memory quotes its source.",
        "conversations": "They belong to the chat application; the section consent has the person's choices.",
    }
)
"""Tables of ``public`` that an export leaves out, each with the reason."""


async def rows(
    conn: Connection, section: Section, *, user_id: UUID, now: datetime, batch: int = BATCH
) -> AsyncGenerator[list[dict[str, Any]], None]:
    """The rows of a section in batches. Private tables are read as the service role, which the transaction keeps."""
    await _SQL["set_utc"].execute(conn)
    if section.name == _SHARED or any(table.startswith("keepsake.") for table in section.tables):
        await become_service(conn)
    async with conn.cursor(name="export", row_factory=tuple_row) as cursor:
        await cursor.execute(_SQL[section.name].sql, {"user_id": user_id, "now": now})
        while fetched := await cursor.fetchmany(batch):
            yield [json.loads(text) for (text,) in fetched]
