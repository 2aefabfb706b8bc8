"""Reads stored summaries as texts for a context, without those that rest on a memory that may not be shown in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.context.outline import Outline
from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.memory import MemoryType
from keepsake.domain.sessions.rules_form import describe_topics
from keepsake.domain.sessions.session_summary import SessionSummary
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import PersonaKey
from keepsake.store.summaries import ProfilePeriod

_SQL = queries.load("summary_texts")


async def read(
    conn: Connection, target: ProfilePeriod, *, persona_id: str | None, types: Collection[MemoryType]
) -> list[Outline]:
    """The texts of the summary of a period: how the person felt, and what happened; none where there is none."""
    params = {**target.level_params, "persona_id": persona_id, "types": [kind.value for kind in types]}
    row = await _SQL["period_texts"].one(conn, dict_row, **params)
    if row is None:
        return []
    refs = {"id": row["id"], "message_ids": row["message_ids"]}
    return [outline_of(text or "", row["outlines"].get(name), **refs) for name, text in row["texts"]]


async def session_topics(
    conn: Connection, persona: PersonaKey, *, types: Collection[MemoryType], start: datetime, end: datetime
) -> list[Outline]:
    """What the newest sessions with a persona that ended in a period were about."""
    params = {**persona.params, "types": [kind.value for kind in types], "start": start, "end": end}
    rows = await _SQL["session_topics"].all(conn, dict_row, **params)
    return [
        replace(
            describe_topics(SessionSummary(row["one_liner"], row["what_mattered"]), row["generator"]),
            refs=refs_of(row["id"], row["message_ids"]),
        )
        for row in rows
    ]


def outline_of(
    text: str,
    outline: Mapping[str, Any] | None = None,
    heading: str = "",
    *,
    id: UUID | str,
    message_ids: Iterable[UUID | str],
) -> Outline:
    """A stored text with its outline, and the row that it was read from; what a model wrote has no outline."""
    found = Outline.of_text(text) if outline is None else Outline.read(outline)
    return replace(found, heading=heading or found.heading, refs=refs_of(id, message_ids))


def refs_of(id: UUID | str, message_ids: Iterable[UUID | str]) -> tuple[SummaryRef, ...]:
    """The row of a summary, from the columns of a query or from JSON."""
    return (SummaryRef(UUID(str(id)), tuple(UUID(str(one)) for one in message_ids)),)
