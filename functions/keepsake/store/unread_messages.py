"""Finds the messages of people that nobody has read yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from psycopg.rows import class_row, tuple_row

from keepsake.infra.database import Connection, queries
from keepsake.store.turns import DueTurn

_SQL = queries.load("unread_messages")


@dataclass(frozen=True, slots=True)
class Position:
    """Up to which message of a person a search has come."""

    time: datetime
    message_id: UUID


EVER = datetime.min.replace(tzinfo=UTC)
"""The date from which on all messages are."""
START = Position(EVER, UUID(int=0))
"""Before the first message."""


@dataclass(frozen=True, slots=True)
class UnreadMessage:
    """A message without a finished extraction, by its ids and its date."""

    conversation_id: UUID
    message_id: UUID
    user_id: UUID
    created_at: datetime

    @property
    def turn(self) -> DueTurn:
        """The turn that it begins."""
        return DueTurn(self.conversation_id, self.message_id, self.user_id)

    @property
    def position(self) -> Position:
        """Where the search goes on after it."""
        return Position(self.created_at, self.message_id)


async def find_consenting_people(conn: Connection, *, after: UUID, limit: int) -> list[UUID]:
    """The next people who chose their primary profile for a conversation."""
    return await _SQL["consenting_people"].values(conn, after=after, limit=limit)


async def find_unread(
    conn: Connection, *, user_id: UUID, since: datetime, after: Position, limit: int
) -> list[UnreadMessage]:
    """The person's next messages without a finished extraction, oldest first."""
    params = {"user_id": user_id, "since": since, "after_time": after.time, "after_id": after.message_id}
    return await _SQL["unread_messages"].all(conn, class_row(UnreadMessage), **params, limit=limit)


async def count_finished(conn: Connection, *, user_id: UUID, since: datetime) -> dict[str | None, int]:
    """The number of the person's messages that are finished, by the reason why they were not read; None where read."""
    return dict(await _SQL["count_finished"].all(conn, tuple_row, user_id=user_id, since=since))
