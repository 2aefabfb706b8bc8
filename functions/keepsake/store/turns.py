"""What is known of a turn before anything is done with it, and which turns wait to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row

from keepsake.domain.consent.guard import TurnFacts
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, queries

_SQL = queries.load("turns")
_FINISHED = frozenset({"extracted", "skipped", "quarantined"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One message, where it was said, and what its author allows."""

    message_id: UUID
    conversation_id: UUID
    turn_index: int | None
    persona_id: str | None
    allowed_types: frozenset[MemoryType]
    facts: TurnFacts
    finished: bool = False
    """Whether an extraction has ended for it already."""
    timezone: str | None = None
    """Where its author is, by their profile: what day it was for them."""


@dataclass(frozen=True, slots=True)
class DueTurn:
    """The ids of a turn that is to be looked at; the author is known where no row exists yet."""

    conversation_id: UUID
    message_id: UUID
    user_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class DeliveredMessage:
    """The role, author and opening of a message that a delivery speaks of."""

    role: str
    user_id: UUID | None
    content: str


async def read(conn: Connection, *, conversation_id: UUID, message_id: UUID) -> Turn | None:
    """The turn, or None where that conversation has no such message."""
    row = await _SQL["turn_facts"].one(conn, dict_row, conversation_id=conversation_id, message_id=message_id)
    return turn_of(row) if row else None


async def delivered(conn: Connection, *, conversation_id: UUID, message_id: UUID) -> DeliveredMessage | None:
    """The message that a delivery speaks of."""
    return await _SQL["delivered_message"].one(
        conn, class_row(DeliveredMessage), conversation_id=conversation_id, message_id=message_id
    )


async def unfinished_before(
    conn: Connection, *, conversation_id: UUID, message_id: UUID, since: datetime, limit: int
) -> list[DueTurn]:
    """The person's messages up to an answer that nobody has finished with, newest first."""
    given = {"conversation_id": conversation_id, "message_id": message_id, "since": since, "limit": limit}
    rows = await _SQL["unfinished_before"].all(conn, dict_row, **given)
    return [DueTurn(conversation_id, row["id"], row["user_id"]) for row in rows]


async def due(conn: Connection, *, since: datetime, until: datetime, limit: int) -> list[DueTurn]:
    """Turns said in that time which nobody has noted, oldest first."""
    given = {"from": since, "until": until, "limit": limit}
    return await _SQL["due_turns"].all(conn, class_row(DueTurn), **given)


def turn_of(row: dict[str, Any]) -> Turn:
    """The turn in a row of ``turn_facts``."""
    allowed = row["allowed_types"]
    return Turn(
        message_id=row["message_id"],
        conversation_id=row["conversation_id"],
        turn_index=row["turn_index"],
        persona_id=row["persona_id"],
        allowed_types=frozenset(MemoryType if allowed is None else map(MemoryType, allowed)),
        facts=facts_of(row),
        finished=row.get("extraction_status") in _FINISHED,
        timezone=row["timezone"],
    )


def facts_of(row: dict[str, Any]) -> TurnFacts:
    """What the guard asks, from a row that carries it."""
    return TurnFacts(
        role=row["role"],
        author=row["user_id"],
        said_at=row["said_at"],
        text=row["content"],
        mode=row["mode"] or "chat",
        profile_id=row["profile_id"],
        profile_owner=row["profile_owner"],
        is_primary=row["is_primary"],
        memory_enabled=row["memory_enabled"],
        remember_since=row["remember_since"],
        building=row["building"],
        enabled=row["enabled"],
        erased_before=row["erased_before"],
    )
