"""Keeps erased content from being extracted again: consent starts anew, and turns in progress end or are requeued."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("turns_during_erasure")
_MAX_WAIT_SECONDS = 305.0
"""Longer than the statement timeout of an erasure."""


async def raise_statement_timeout(conn: Connection) -> None:
    """Allow the statements of this transaction more time than others."""
    await _SQL["raise_statement_timeout"].execute(conn)
    conn.max_wait = max(conn.max_wait, _MAX_WAIT_SECONDS)


async def set_erased_before(conn: Connection, *, user_id: UUID, now: datetime) -> datetime:
    """Never extract messages from before this moment again; returns the moment."""
    moment: datetime | None = await _SQL["set_erased_before"].value(conn, user_id=user_id, now=now)
    if moment is None:
        (moment,) = await _SQL["insert_erased_before"].single(conn, tuple_row, user_id=user_id, now=now)
    return moment


async def note_erasure(conn: Connection, *, user_id: UUID) -> None:
    """Let no import that began before now write."""
    await _SQL["note_erasure"].execute(conn, user_id=user_id)


async def restart_consent(conn: Connection, *, user_id: UUID, profile_id: UUID, now: datetime) -> None:
    """Let memory of a profile start now in every conversation that uses it."""
    await _SQL["restart_consent"].execute(conn, user_id=user_id, profile_id=profile_id, now=now)


async def pending_turns_mentioning(
    conn: Connection,
    *,
    user_id: UUID,
    memory_ids: Sequence[UUID],
    subject: str | None,
    open_ids: Sequence[UUID],
    since: datetime,
) -> list[UUID]:
    """The messages of unfinished turns that mention one of the memories or the subject."""
    return await _SQL["pending_turns_mentioning"].values(
        conn, user_id=user_id, memory_ids=list(memory_ids), subject=subject, open_ids=list(open_ids), since=since
    )


async def unprocessed_messages(conn: Connection, *, user_id: UUID, since: datetime) -> list[UUID]:
    """Messages with a timestamp from this moment on that have no extraction row."""
    return await _SQL["unprocessed_messages"].values(conn, user_id=user_id, since=since)


async def end_turns(conn: Connection, *, user_id: UUID, message_ids: Sequence[UUID], now: datetime) -> None:
    """Mark the turns of these messages as skipped."""
    await _SQL["end_turns"].execute(conn, user_id=user_id, message_ids=list(message_ids), now=now)


async def requeue_turns(conn: Connection, *, user_id: UUID, open_ids: Sequence[UUID], now: datetime) -> None:
    """Requeue the turns among these that are claimed; the workers that claimed them can no longer write."""
    await _SQL["requeue_turns"].execute(conn, user_id=user_id, open_ids=list(open_ids), now=now)
