"""Reads what the first context of a conversation tells beside memories, with the round trip of another query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from psycopg import AsyncRawCursor
from psycopg.rows import dict_row

from keepsake.domain.sessions.session_summary import LastSession, SessionSummary
from keepsake.infra.database import Connection, queries
from keepsake.store.todos import PersonaKey

_SQL = queries.load("opening_sections")
RequestedOpening = AsyncRawCursor[dict[str, Any]]
"""An opening that the database has been asked for."""
_SCREENED = frozenset({"llm_extraction", "rule_extraction"})


@dataclass(frozen=True, slots=True)
class Opening:
    """The open to-dos of the persona, the last session, what was said of late, and what the days were about."""

    todos: list[tuple[str, bool]] = field(default_factory=list)
    """Each with whether it was screened when it was stored; one that the person wrote was not."""
    last_session: LastSession | None = None
    rolling_summary: str | None = None
    spine: tuple[tuple[str, str], ...] = ()
    """What holds over the long term: pairs of a section and a statement that is still so."""
    newest_week: str | None = None
    merged_context: str | None = None
    """Facts, the current day and the history in one text; where there is none, the other two are told one by one."""
    current_day: str | None = None
    history: str | None = None


async def request(
    conn: Connection, persona: PersonaKey, *, since: date, today: date, now: datetime, max_todos: int
) -> RequestedOpening:
    """Ask for the opening for a person and a persona, which `read` then gives; the week ended ``since`` this date."""
    return await _SQL["opening"].send(
        conn, dict_row, **persona.params, since=since, today=today, now=now, max_todos=max_todos
    )


async def read(requested: RequestedOpening) -> Opening:
    """The opening that was asked for."""
    (row,) = await requested.fetchall()
    spine = tuple((section, text) for section, text in row.pop("spine") or ())
    todos = [(line, source in _SCREENED) for line, source in row.pop("todos")]
    return Opening(todos=todos, spine=spine, last_session=_last_session(row.pop("last_session")), **row)


def _last_session(row: Mapping[str, Any] | None) -> LastSession | None:
    if row is None:
        return None
    columns = {name: value for name, value in row.items() if name != "ended_at"}
    return LastSession(datetime.fromisoformat(row["ended_at"]), SessionSummary(**columns))
