"""What is stored of a person, section by section as it stands, and the one list of what an export consists of.

A new table that holds a person's data gets a section here and a query of the same name in ``sql/exports.sql``, or a
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
"""Counts up when a document can no longer be read as those before it; new fields and sections do not count."""
_SHARED = "conversation_summaries"
"""Read as the service: whether somebody else wrote in a chat is seen in messages, which a host may show to nobody."""
BATCH = 250
"""Rows fetched at a time."""


@dataclass(frozen=True, slots=True)
class Section:
    """One list of rows in an export; ``sql/exports.sql`` has a query of the same name.

    ``nature`` says how the rows came about: ``stated`` by the person, ``chosen`` as a setting, ``inferred`` from what
    they said, ``derived`` from several things, or ``counted``; ``mixed`` where each row says it for itself.
    ``returns`` are those that an import takes back, and that are therefore signed. What a person allows is none of
    them: that is chosen anew, not brought along.
    """

    name: str
    tables: tuple[str, ...]
    nature: str
    returns: bool = False


SECTIONS: tuple[Section, ...] = (
    Section("profiles", ("user_profile_list",), "stated"),
    Section("settings", ("user_memory_settings",), "chosen"),
    Section("consent", ("conversations_participants",), "chosen"),
    Section("entities", ("user_memory_entities",), "derived", returns=True),
    Section("alias_proposals", ("user_memory_alias_proposals",), "inferred", returns=True),
    Section("memories", ("user_memory",), "mixed", returns=True),
    Section("places", ("user_memory_places",), "inferred", returns=True),
    Section("place_mentions", ("user_memory_place_mentions",), "inferred", returns=True),
    Section("conversation_summaries", ("conversation_summaries",), "derived"),
    Section("extraction_counts", ("keepsake.extractions",), "counted"),
)
"""In the order in which they stand in the document."""

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "messages": "The chat application's own, which it exports itself; a memory quotes what it rests on.",
        "conversations": "The chat application's own; what the person chose about memory in each stands in consent.",
    }
)
"""Tables of ``public`` that are no part of an export, and why."""


async def rows(
    conn: Connection, section: Section, *, user_id: UUID, now: datetime
) -> AsyncGenerator[list[dict[str, Any]], None]:
    """The rows of a section, some at a time. What is private is read as the service, which the transaction stays."""
    await _SQL["set_utc"].execute(conn)
    if section.name == _SHARED or any(table.startswith("keepsake.") for table in section.tables):
        await become_service(conn)
    async with conn.cursor(name="export", row_factory=tuple_row) as cursor:
        await cursor.execute(_SQL[section.name].sql, {"user_id": user_id, "now": now})
        while batch := await cursor.fetchmany(BATCH):
            yield [json.loads(text) for (text,) in batch]
