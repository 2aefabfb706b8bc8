"""A participant's own choices in a conversation: which profile, and whether to be remembered there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.infra.database import Connection, queries

_SQL = queries.load("conversations")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a participant chose, and from when on their words may be remembered."""

    conversation_id: UUID
    profile_id: UUID | None
    memory_enabled: bool | None
    remember_since: datetime | None


async def visible_mode(conn: Connection, *, conversation_id: UUID) -> str | None:
    """The mode of a conversation that the person whose transaction this is can see; None where they cannot."""
    row = await _one(conn, "visible_conversation", conversation_id=conversation_id)
    return (row["mode"] or "chat") if row else None


async def is_primary(conn: Connection, *, profile_id: UUID, user_id: UUID) -> bool | None:
    """Whether one of the person's own profiles is their primary one; None where it is not theirs."""
    row = await _one(conn, "own_profile", profile_id=profile_id, user_id=user_id)
    return bool(row["is_primary"]) if row else None


async def primary_profile(conn: Connection, *, user_id: UUID) -> UUID | None:
    """The person's primary profile, where they have one."""
    row = await _one(conn, "primary_profile", user_id=user_id)
    return row["id"] if row else None


async def choose_profile(
    conn: Connection, *, conversation_id: UUID, user_id: UUID, profile_id: UUID | None
) -> Choice | None:
    """Set the participant's profile; None where they take no part."""
    row = await _one(conn, "choose_profile", conversation_id=conversation_id, user_id=user_id, profile_id=profile_id)
    return Choice(**row) if row else None


async def choose_memory(
    conn: Connection, *, conversation_id: UUID, user_id: UUID, memory_enabled: bool | None
) -> Choice | None:
    """Set the participant's toggle; None where they take no part."""
    row = await _one(
        conn, "choose_memory", conversation_id=conversation_id, user_id=user_id, memory_enabled=memory_enabled
    )
    return Choice(**row) if row else None


async def _one(conn: Connection, query: str, **given: Any) -> dict[str, Any] | None:
    return await (await conn.execute(_SQL[query].sql, given)).fetchone()
