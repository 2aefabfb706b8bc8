"""The settings of a participant for one conversation: the profile, and whether memory is on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row, dict_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("participant_choices")


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices of a participant, and from when on messages may become memories."""

    conversation_id: UUID
    profile_id: UUID | None
    memory_enabled: bool | None
    remember_since: datetime | None


async def visible_mode(conn: Connection, *, conversation_id: UUID) -> str | None:
    """The mode of a conversation that the person whose transaction this is can see; None where they cannot."""
    row = await _SQL["visible_conversation"].one(conn, dict_row, conversation_id=conversation_id)
    return (row["mode"] or "chat") if row else None


async def is_primary(conn: Connection, *, profile_id: UUID, user_id: UUID) -> bool | None:
    """Whether one of the person's own profiles is their primary one; None where it is not theirs."""
    row = await _SQL["own_profile"].one(conn, dict_row, profile_id=profile_id, user_id=user_id)
    return bool(row["is_primary"]) if row else None


async def primary_profile(conn: Connection, *, user_id: UUID) -> UUID | None:
    """The person's primary profile, where they have one."""
    return await _SQL["primary_profile"].value(conn, user_id=user_id)


async def choose_profile(
    conn: Connection, *, conversation_id: UUID, user_id: UUID, profile_id: UUID | None
) -> Choice | None:
    """Set the participant's profile; None where they take no part."""
    return await _SQL["choose_profile"].one(
        conn, class_row(Choice), conversation_id=conversation_id, user_id=user_id, profile_id=profile_id
    )


async def choose_memory(
    conn: Connection, *, conversation_id: UUID, user_id: UUID, memory_enabled: bool | None
) -> Choice | None:
    """Set the participant's toggle; None where they take no part."""
    return await _SQL["choose_memory"].one(
        conn, class_row(Choice), conversation_id=conversation_id, user_id=user_id, memory_enabled=memory_enabled
    )
