"""Pending operations: what an agent requests and only the person may confirm, for one day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

import psycopg
from psycopg.rows import args_row

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.infra.database import Connection, queries
from keepsake.store.chat_commands import turn_ids

_SQL = queries.load("pending_operations")
_ALREADY_RESOLVED = frozenset({"PT404", "PT409", "PT410"})
MAX_PENDING = 20
"""Operations that may be pending for a person at a time."""

RequestKind = Literal["agent_forget", "agent_deactivate"]


@dataclass(frozen=True, slots=True)
class PendingOperation:
    """The kind of an operation that an agent requested, and its memories."""

    id: UUID
    kind: RequestKind
    memory_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class ResolvedOperation:
    """A pending operation that was answered; the operation that executed it, if anything changed."""

    operation_id: UUID | None


async def request(
    conn: Connection, kind: RequestKind, *, user_id: UUID, memory_ids: Sequence[UUID], now: datetime
) -> UUID | None:
    """Record what an agent requests; returns its id, the same for the same request; None where too many are pending."""
    ids = sorted(map(str, memory_ids))
    digest = sha256(" ".join(ids).encode()).digest()
    params = {
        "user_id": user_id,
        "kind": kind,
        "digest": digest,
        "memory_ids": ids,
        "now": now,
        "max_pending": MAX_PENDING,
    }
    return await _SQL["record_request"].value(conn, **params)


async def find_unanswered(
    conn: Connection, *, user_id: UUID, conversation_id: UUID, now: datetime
) -> list[PendingOperation]:
    """The operations that the next context of a conversation may ask about, oldest first."""
    return await _SQL["requests_to_show"].all(
        conn, args_row(_pending), user_id=user_id, conversation_id=conversation_id, now=now
    )


async def mark_shown(conn: Connection, pending: PendingOperation, turn: TurnContext) -> None:
    """Record that the context of this message asks the person."""
    await _SQL["mark_shown"].execute(conn, **turn_ids(turn), said_at=turn.said_at, id=pending.id)


async def find_answered(conn: Connection, turn: TurnContext, *, now: datetime) -> PendingOperation | None:
    """The operation that a "yes" or "no" in this message answers, if any."""
    return await _SQL["request_to_answer"].one(
        conn, args_row(_pending), **turn_ids(turn), said_at=turn.said_at, now=now
    )


async def resolve(
    conn: Connection, *, user_id: UUID, id: UUID, accepted: bool, now: datetime
) -> ResolvedOperation | None:
    """Execute or cancel an operation; None where it was answered meanwhile or has expired."""
    params = {"user_id": user_id, "id": id, "accepted": accepted, "now": now}
    try:
        async with conn.transaction():
            resolved = await _SQL["resolve"].value(conn, **params)
    except psycopg.DatabaseError as error:
        if error.sqlstate in _ALREADY_RESOLVED:
            return None
        raise
    if resolved is None:
        return None
    return ResolvedOperation(UUID(resolved["operation_id"]) if resolved["operation_id"] else None)


def _pending(row_id: UUID, kind: RequestKind, outcome: dict[str, Any]) -> PendingOperation:
    return PendingOperation(row_id, kind, list(map(UUID, outcome["memory_ids"])))
