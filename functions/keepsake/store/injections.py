"""What is read before a context is made, and what is kept about it afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.domain.consent.guard import TurnFacts
from keepsake.domain.memory import MemoryType
from keepsake.infra import queries
from keepsake.infra.db import Connection
from keepsake.store.turns import facts_of

_SQL = queries.load("injections")


@dataclass(frozen=True, slots=True)
class Asked:
    """A message somebody wants a context for, and what is known of its author."""

    facts: TurnFacts
    conversation_id: UUID
    message_id: UUID | None
    persona_id: str | None
    takes_part: bool
    allowed_types: frozenset[MemoryType]
    shared: bool
    first_message: bool
    has_places: bool
    has_requests: bool
    """Whether an agent asked for something within the last day that only the person may answer."""
    name: str | None
    nickname: str | None
    pronouns: str | None
    timezone: str | None
    locale: str | None


@dataclass(frozen=True, slots=True)
class Injection:
    """What is kept about a context: ids and numbers."""

    id: UUID
    user_id: UUID
    conversation_id: UUID
    profile_id: UUID | None
    message_id: UUID | None
    memory_ids: Sequence[UUID]
    used_ids: Sequence[UUID]
    token_count: int
    variant: str
    reason: str | None


async def wrote(conn: Connection, *, conversation_id: UUID, message_id: UUID, user_id: UUID) -> bool:
    """Whether the person whose transaction this is sees the message and wrote it."""
    given = {"conversation_id": conversation_id, "message_id": message_id, "user_id": user_id}
    return await (await conn.execute(_SQL["visible_message"].sql, given)).fetchone() is not None


async def asked(
    conn: Connection,
    *,
    conversation_id: UUID,
    message_id: UUID | None,
    user_id: UUID | None,
    user_message: str | None,
    now: datetime,
) -> Asked | None:
    """The message by its id, or as it is about to be saved; None where there is no such thing."""
    given = {
        "conversation_id": conversation_id,
        "message_id": message_id,
        "user_id": user_id,
        "user_message": user_message,
        "now": now,
    }
    row = await (await conn.execute(_SQL["injection_facts"].sql, given)).fetchone()
    return _asked(row) if row else None


async def account(conn: Connection, injection: Injection, *, now: datetime) -> None:
    """Keep what the context was made of, and count its memories as used; the commit will not wait for the disk."""
    given = {
        "id": injection.id,
        "user_id": injection.user_id,
        "conversation_id": injection.conversation_id,
        "profile_id": injection.profile_id,
        "message_id": injection.message_id,
        "memory_ids": list(injection.memory_ids),
        "used_ids": list(injection.used_ids),
        "token_count": injection.token_count,
        "memory_count": len(injection.memory_ids),
        "variant": injection.variant,
        "reason": injection.reason,
        "now": now,
    }
    await conn.execute(_SQL["account"].sql, given)


async def last_messages(conn: Connection, *, conversation_id: UUID, limit: int) -> dict[str, Any]:
    """The newest messages, oldest first, and the rolling summary."""
    given = {"conversation_id": conversation_id, "limit": limit}
    row = await (await conn.execute(_SQL["last_messages"].sql, given)).fetchone()
    return dict(row) if row else {"messages": [], "summary": None}


async def tie_to_answer(
    conn: Connection, *, injection_id: UUID, message_id: UUID, helpfulness: float | None
) -> dict[str, Any] | None:
    """Tie an injection to the answer it went into; None where the two do not belong together."""
    given = {"injection_id": injection_id, "message_id": message_id, "helpfulness": helpfulness}
    row = await (await conn.execute(_SQL["tie_to_answer"].sql, given)).fetchone()
    if row is not None:
        marked = {"injection_id": injection_id, "message_id": message_id, "memory_ids": row["memory_ids"]}
        await conn.execute(_SQL["mark_answer"].sql, marked)
    return row


def _asked(row: dict[str, Any]) -> Asked:
    allowed = row["allowed_types"]
    return Asked(
        facts=facts_of(row),
        conversation_id=row["conversation_id"],
        message_id=row["message_id"],
        persona_id=row["persona_id"],
        takes_part=row["takes_part"],
        allowed_types=frozenset(MemoryType if allowed is None else map(MemoryType, allowed)),
        shared=row["shared"],
        first_message=row["first_message"],
        has_places=row["has_places"],
        has_requests=row["has_requests"],
        name=row["name"],
        nickname=row["nickname"],
        pronouns=row["pronouns"],
        timezone=row["timezone"],
        locale=row["locale"],
    )
