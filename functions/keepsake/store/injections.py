"""What is read before a context is made, and what is kept about it afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import args_row, dict_row

from keepsake.domain.consent.guard import TurnFacts
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, queries
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


@dataclass(frozen=True, slots=True)
class TiedInjection:
    """An injection that is tied to its answer: its memories, and how it helped."""

    memory_ids: tuple[UUID, ...]
    helpfulness: float | None


async def wrote(conn: Connection, *, conversation_id: UUID, message_id: UUID, user_id: UUID) -> bool:
    """Whether the person whose transaction this is sees the message and wrote it."""
    given = {"conversation_id": conversation_id, "message_id": message_id, "user_id": user_id}
    return await _SQL["visible_message"].value(conn, **given) is not None


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
    row = await _SQL["injection_facts"].one(conn, dict_row, **given)
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
    await _SQL["record_injection"].execute(conn, **given)


async def last_messages(conn: Connection, *, conversation_id: UUID, limit: int) -> dict[str, Any]:
    """The newest messages, oldest first, and the rolling summary."""
    row = await _SQL["last_messages"].one(conn, dict_row, conversation_id=conversation_id, limit=limit)
    return row or {"messages": [], "summary": None}


async def tie_to_answer(
    conn: Connection, *, injection_id: UUID, message_id: UUID, helpfulness: float | None
) -> TiedInjection | None:
    """Tie an injection to the answer it went into; None where the two do not belong together."""
    ids = {"injection_id": injection_id, "message_id": message_id}
    tied = await _SQL["link_to_answer"].one(conn, args_row(_tied), **ids, helpfulness=helpfulness)
    if tied is not None:
        await _SQL["mark_answer"].execute(conn, **ids, memory_ids=list(tied.memory_ids))
    return tied


def _tied(memory_ids: Sequence[UUID], helpfulness: float | None) -> TiedInjection:
    return TiedInjection(tuple(memory_ids), None if helpfulness is None else float(helpfulness))


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
