"""Counts turns in sessions, finds the sessions and states that are due, and writes their texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import class_row, dict_row, tuple_row

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos import TodoKind
from keepsake.domain.sessions.session_summary import (
    PAUSE,
    REFRESH_EVERY,
    SessionSources,
    SessionSummary,
    SourceTodo,
    screen_todos,
)
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import MemoryWriter
from keepsake.store.row_keys import PersonaKey, ProfileKey
from keepsake.store.summaries import Authorship

_SQL = queries.load("sessions")
_MAX_MEMORIES, _MAX_TODOS = 50, 20
_GRACE = timedelta(minutes=10)
RowKey = tuple[UUID, UUID]
"""A person and the id of one of their rows."""


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session that is over."""

    id: UUID
    user_id: UUID
    profile_id: UUID
    persona_id: str | None
    started_at: datetime
    last_activity_at: datetime
    ended_at: datetime

    @property
    def profile(self) -> ProfileKey:
        """Whose session it is."""
        return ProfileKey(self.user_id, self.profile_id)

    @property
    def persona(self) -> PersonaKey:
        """Whose session it is, and with which persona."""
        return PersonaKey(self.user_id, self.profile_id, self.persona_id)


@dataclass(frozen=True, slots=True)
class SessionBasis:
    """The memories, to-dos and messages that a summary of a session rests on."""

    source_ids: Sequence[UUID]
    message_ids: Sequence[UUID]


async def note_turns(
    conn: Connection, writers: Sequence[MemoryWriter], *, now: datetime
) -> AsyncRawCursor[tuple[UUID, UUID]]:
    """Count the message of each writer in its session, let its period be summarized, and note when it was said.

    The rows are the states whose rolling summary is due now. Until it has had its time, no other job is queued for it.
    """
    return await _SQL["note_turns"].send(
        conn,
        tuple_row,
        user_ids=[writer.user_id for writer in writers],
        profile_ids=[writer.profile_id for writer in writers],
        persona_ids=[writer.origin.persona_id for writer in writers],
        conversation_ids=[writer.origin.conversation_id for writer in writers],
        message_ids=[writer.origin.message_id for writer in writers],
        moments=[writer.origin.said_at for writer in writers],
        pause=PAUSE,
        refresh_every=REFRESH_EVERY,
        due_at=now + _GRACE,
    )


async def claim_due_sessions(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[RowKey]:
    """The next sessions that are over and not summarized; the next call takes others until the next attempt."""
    return await _SQL["claim_due_sessions"].all(conn, tuple_row, now=now, next_attempt_at=next_attempt_at, limit=limit)


async def claim_due_states(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[RowKey]:
    """The next states whose rolling summary is due; the next call takes others until the next attempt."""
    return await _SQL["claim_due_states"].all(conn, tuple_row, now=now, next_attempt_at=next_attempt_at, limit=limit)


async def end_session(conn: Connection, *, user_id: UUID, session_id: UUID, now: datetime) -> EndedSession | None:
    """Close a session that is over; None for one that goes on, is summarized already, or is gone."""
    await _SQL["lock_state_of_session"].execute(conn, user_id=user_id, id=session_id)
    return await _SQL["end_session"].one(
        conn, class_row(EndedSession), user_id=user_id, id=session_id, pause=PAUSE, now=now
    )


async def find_due_session(conn: Connection, *, user_id: UUID, session_id: UUID, now: datetime) -> EndedSession | None:
    """A session that is over and not summarized, without closing it."""
    return await _SQL["due_session"].one(
        conn, class_row(EndedSession), user_id=user_id, id=session_id, pause=PAUSE, now=now
    )


async def model_wait(conn: Connection, *, user_id: UUID, session_id: UUID) -> ModelWait:
    """How long the summary of a session has waited for the model."""
    found = await _SQL["model_wait"].one(conn, class_row(ModelWait), user_id=user_id, id=session_id)
    return found or ModelWait()


async def wait_for_model(conn: Connection, session: EndedSession, *, due_at: datetime, wait: ModelWait) -> None:
    """Record that the summary of a session waits for the model, and until when."""
    await _SQL["wait_for_model"].execute(conn, user_id=session.user_id, id=session.id, due_at=due_at, **asdict(wait))


async def stop_waiting(conn: Connection, session: EndedSession) -> None:
    """Record that the summary of a session no longer waits for the model."""
    await _SQL["stop_waiting"].execute(conn, user_id=session.user_id, id=session.id)


async def read_sources(
    conn: Connection, persona: PersonaKey, *, since: datetime, until: datetime, history: ZoneHistory
) -> SessionSources:
    """The memories of what the person said to a persona in a period, and the to-dos that it opened."""
    span = {**persona.params, "since": since, "until": until}
    memories = await _SQL["memories_said"].all(conn, dict_row, **span, limit=_MAX_MEMORIES)
    todos = await _SQL["todos_said"].all(conn, dict_row, **span, limit=_MAX_TODOS)
    return SessionSources(
        [source_memory(row, history) for row in memories],
        source_todos(todos),
    )


async def write_summary(
    conn: Connection,
    session: EndedSession,
    summary: SessionSummary | None,
    basis: SessionBasis,
    authorship: Authorship,
    *,
    now: datetime,
) -> None:
    """Write the summary of a session; without one, delete what there was."""
    session_key = {"user_id": session.user_id, "session_id": session.id}
    if summary is None:
        await _SQL["delete_session_summary"].execute(conn, **session_key)
        return
    columns = {
        **asdict(summary),
        **asdict(authorship),
        "profile_id": session.profile_id,
        "persona_id": session.persona_id,
        "ended_at": session.ended_at,
        "source_ids": list(basis.source_ids),
        "message_ids": list(basis.message_ids),
    }
    await _SQL["write_session_summary"].execute(conn, **session_key, **columns, now=now)


def source_todos(rows: Iterable[dict[str, Any]]) -> list[SourceTodo]:
    """The to-dos in rows that summaries are written from; a person edits them directly, so they are screened."""
    return screen_todos([SourceTodo(row["id"], TodoKind(row["kind"]), row["text"], row["status"]) for row in rows])


def source_memory(row: dict[str, Any], history: ZoneHistory) -> SourceMemory:
    """The memory in a row that summaries are written from."""
    columns = {
        **row,
        "type": MemoryType(row["type"]),
        "subtype": Subtype(row["subtype"]),
        "entity_refs": tuple(row["entity_refs"]),
        "day": local_date(history, row["moment"]),
    }
    del columns["moment"]
    return SourceMemory(**columns)
