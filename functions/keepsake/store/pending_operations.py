"""What agents ask to have forgotten of what is the person's own, kept until the person answers or a day has passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

import psycopg

from keepsake.infra import queries
from keepsake.infra.db import Connection
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


async def ask(
    conn: Connection, kind: Asked, *, user_id: UUID, memory_ids: Sequence[UUID], now: datetime
) -> UUID | None:
    """Keep what an agent asks for; its id, the same for the same, or None where too much is pending already."""
    ids = sorted(map(str, memory_ids))
    digest = sha256(" ".join(ids).encode()).digest()
    given = {"user_id": user_id, "kind": kind, "digest": digest, "memory_ids": ids, "now": now, "most": MOST_PENDING}
    row = await _one(conn, "ask", given)
    return row["id"] if row else None


async def to_show(conn: Connection, *, user_id: UUID, conversation_id: UUID, now: datetime) -> list[Pending]:
    """What may be asked in the next context of a conversation, oldest first."""
    given = {"user_id": user_id, "conversation_id": conversation_id, "now": now}
    rows = await (await conn.execute(_SQL["to_show"].sql, given)).fetchall()
    return [_pending(row) for row in rows]


async def mark_shown(conn: Connection, pending: Pending, said: Said) -> None:
    """Note that the context for this message asks the person."""
    await conn.execute(_SQL["mark_shown"].sql, {**said.place, "id": pending.id})


async def to_answer(conn: Connection, said: Said, *, now: datetime) -> Pending | None:
    """The operation that a plain yes or no in this message answers, if it answers one."""
    row = await _one(conn, "to_answer", {**said.place, "now": now})
    return _pending(row) if row else None


async def settle(conn: Connection, *, user_id: UUID, id: UUID, accepted: bool, now: datetime) -> dict[str, Any] | None:
    """Carry it out or cancel it; None where somebody else has answered it meanwhile, or it has run out."""
    given = {"user_id": user_id, "id": id, "accepted": accepted, "now": now}
    try:
        async with conn.transaction():
            row = await _one(conn, "settle", given)
    except psycopg.DatabaseError as error:
        if error.sqlstate in _ANSWERED_OR_GONE:
            return None
        raise
    return row["settled"] if row else None


def _pending(row: dict[str, Any]) -> Pending:
    return Pending(row["id"], row["kind"], list(map(UUID, row["outcome"]["memory_ids"])))


async def _one(conn: Connection, query: str, given: dict[str, Any]) -> dict[str, Any] | None:
    return await (await conn.execute(_SQL[query].sql, given)).fetchone()
