"""Reads what the first context of a conversation shows beside memories, in the round trip of another query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import dict_row

from keepsake.domain.context.outline import Outline
from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.memory import MemoryType
from keepsake.domain.sessions.session_summary import LastSession, SessionSummary
from keepsake.domain.sessions.spine import StoredItem
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.recent_periods import StoredPeriod
from keepsake.domain.todos.todo import ContextTodo
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import PersonaKey
from keepsake.store.summary_texts import outline_of, refs_of

_SQL = queries.load("opening_sections")
RequestedOpening = AsyncRawCursor[dict[str, Any]]
"""An opening that the database has been asked for."""
_TEXTS = ("rolling_summary", "current_day", "history")


@dataclass(frozen=True, slots=True)
class Opening:
    """The open to-dos of the persona, the last session, what was said of late, and what the days were about."""

    todos: list[ContextTodo] = field(default_factory=list)
    last_session: LastSession | None = None
    rolling_summary: Outline | None = None
    spine: tuple[StoredItem, ...] = ()
    """What holds over the long term."""
    spine_refs: tuple[SummaryRef, ...] = ()
    periods: tuple[StoredPeriod, ...] = ()
    """The days of the last seven, and the weeks and the months that are not long over, the newest first."""
    merged_context: Outline | None = None
    """Facts, the current day and the history in one text; without it, the day and the history are shown one by one."""
    current_day: Outline | None = None
    history: Outline | None = None


async def request(
    conn: Connection,
    persona: PersonaKey,
    *,
    types: Collection[MemoryType],
    since: date,
    today: date,
    now: datetime,
    due_since: date,
    max_todos: int,
) -> RequestedOpening:
    """Ask for the opening for a person and a persona, which `read` then gives; a week ended ``since`` this date."""
    params = {**persona.params, "types": [kind.value for kind in types], "since": since, "today": today, "now": now}
    return await _SQL["opening"].send(conn, dict_row, **params, due_since=due_since, max_todos=max_todos)


async def read(requested: RequestedOpening) -> Opening:
    """The opening that was asked for."""
    (row,) = await requested.fetchall()
    spine, merged = row.pop("spine") or {"items": []}, row.pop("merged_context")
    todos = [_todo(**todo) for todo in row.pop("todos")]
    periods = tuple(_period(**one) for one in row.pop("periods"))
    for name in _TEXTS:
        row[name] = outline_of(**row[name]) if row[name] else None
    return Opening(
        todos=todos,
        periods=periods,
        last_session=_last_session(row.pop("last_session")),
        spine=tuple(_spine_item(*item) for item in spine["items"]),
        spine_refs=refs_of(spine["id"], spine["message_ids"]) if spine["items"] else (),
        merged_context=_merged_context(**merged) if merged else None,
        **row,
    )


def _todo(opened_at: str, due_date: str | None, **columns: str) -> ContextTodo:
    due = date.fromisoformat(due_date) if due_date else None
    return ContextTodo(opened_at=datetime.fromisoformat(opened_at), due_date=due, **columns)


def _spine_item(section: str, text: str, statement: str, said_at: str | None) -> StoredItem:
    return StoredItem(section, text, statement, datetime.fromisoformat(said_at) if said_at else None)


def _period(
    level: str, first: str, texts: Sequence[tuple[str, str]], id: str, message_ids: Sequence[str], **columns: Any
) -> StoredPeriod:
    period, outlines = Period(Level(level), date.fromisoformat(first)), columns.pop("outlines")
    shown = [outline_of(text or "", outlines.get(name), id=id, message_ids=message_ids) for name, text in texts]
    ended = [(text, datetime.fromisoformat(ended_at)) for text, ended_at in columns.pop("ended")]
    return StoredPeriod(period, shown, refs_of(id, message_ids), ended=ended, **columns)


def _last_session(row: Mapping[str, Any] | None) -> LastSession | None:
    if row is None:
        return None
    columns = {field.name: row[field.name] for field in fields(SessionSummary)}
    refs = refs_of(row["id"], row["message_ids"])
    return LastSession(datetime.fromisoformat(row["ended_at"]), SessionSummary(**columns), row["generator"], refs)


def _merged_context(text: str, summary_ids: Sequence[str], message_ids: Sequence[str]) -> Outline:
    """The merged context; it has no row that a person reads: it is named by the day and the history that it merges."""
    own = tuple(UUID(one) for one in message_ids)
    return replace(Outline.of_text(text), refs=tuple(SummaryRef(UUID(one), own) for one in summary_ids))
