"""What agents ask to have forgotten of what is the person's own, kept until the person answers or a day has passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

import psycopg
from psycopg.rows import args_row

from keepsake.infra.database import Connection, queries
from keepsake.store.commands import Said

_SQL = queries.load("pending_operations")
_ANSWERED_OR_GONE = frozenset({"PT404", "PT409", "PT410"})
MOST_PENDING = 20
"""Operations of a person that may be pending at a time."""

Asked = Literal["agent_forget", "agent_deactivate"]


@dataclass(frozen=True, slots=True)
class Pending:
    """What an agent asks for, and the memories it concerns."""

    id: UUID
    kind: Asked
    memory_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class Settled:
    """What was answered, with the operation that carried it out, if anything changed."""

    operation_id: UUID | None


async def ask(
    conn: Connection, kind: Asked, *, user_id: UUID, memory_ids: Sequence[UUID], now: datetime
) -> UUID | None:
    """Keep what an agent asks for; its id, the same for the same, or None where too much is pending already."""
    ids = sorted(map(str, memory_ids))
    digest = sha256(" ".join(ids).encode()).digest()
    given = {"user_id": user_id, "kind": kind, "digest": digest, "memory_ids": ids, "now": now, "most": MOST_PENDING}
    row_id: UUID | None = await _SQL["record_request"].value(conn, **given)
    return row_id


async def to_show(conn: Connection, *, user_id: UUID, conversation_id: UUID, now: datetime) -> list[Pending]:
    """What may be asked in the next context of a conversation, oldest first."""
    return await _SQL["requests_to_show"].all(
        conn, args_row(_pending), user_id=user_id, conversation_id=conversation_id, now=now
    )


async def mark_shown(conn: Connection, pending: Pending, said: Said) -> None:
    """Note that the context for this message asks the person."""
    await _SQL["mark_shown"].execute(conn, **said.ids, said_at=said.said_at, id=pending.id)


async def to_answer(conn: Connection, said: Said, *, now: datetime) -> Pending | None:
    """The operation that a plain yes or no in this message answers, if it answers one."""
    return await _SQL["request_to_answer"].one(conn, args_row(_pending), **said.ids, said_at=said.said_at, now=now)


async def settle(conn: Connection, *, user_id: UUID, id: UUID, accepted: bool, now: datetime) -> Settled | None:
    """Carry it out or cancel it; None where somebody else has answered it meanwhile, or it has run out."""
    given = {"user_id": user_id, "id": id, "accepted": accepted, "now": now}
    try:
        async with conn.transaction():
            settled = await _SQL["resolve"].value(conn, **given)
    except psycopg.DatabaseError as error:
        if error.sqlstate in _ANSWERED_OR_GONE:
            return None
        raise
    if settled is None:
        return None
    return Settled(UUID(settled["operation_id"]) if settled["operation_id"] else None)


def _pending(row_id: UUID, kind: Asked, outcome: dict[str, Any]) -> Pending:
    return Pending(row_id, kind, list(map(UUID, outcome["memory_ids"])))
