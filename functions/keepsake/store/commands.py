"""Chat commands as they are kept, what "that" is, and the memories a command is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import Memory
from keepsake.errors import Conflict
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import COLUMNS, memory_from

_SQL = queries.load("commands")
_STANDS_IN_THE_WAY = frozenset({"PT404", "PT409", "PT410"})


@dataclass(frozen=True, slots=True)
class Said:
    """A message that carries a command: whose, where, and when; without an id while it is about to be saved."""

    user_id: UUID
    conversation_id: UUID
    message_id: UUID | None
    text: str
    said_at: datetime

    @property
    def place(self) -> dict[str, Any]:
        """What every query about it asks by."""
        return {
            "user_id": self.user_id,
            "conversation_id": self.conversation_id,
            "message_id": self.message_id,
            "said_at": self.said_at,
            "text_hash": sha256(" ".join(self.text.split()).encode()).digest(),
        }


@dataclass(frozen=True, slots=True)
class TurnBefore:
    """The person's message before a command, and what became of it."""

    message_id: UUID
    content: str
    said_at: datetime
    status: str | None
    made: Sequence[UUID]
    created: Sequence[UUID]
    """Those of them that were not known before."""

    @property
    def ended(self) -> bool:
        """Whether nothing can be made of it any more."""
        return self.status in ("extracted", "skipped", "quarantined")


async def lock(conn: Connection, said: Said) -> None:
    """Wait until nobody else carries out a command of this person here; held until the transaction ends."""
    await conn.execute(_SQL["lock_commands"].sql, said.place)


async def still_said(conn: Connection, said: Said) -> bool:
    """Whether the message has not been deleted meanwhile; one that is yet to be saved has not."""
    return said.message_id is None or await _one(conn, "still_said", said.place) is not None


async def recorded(conn: Connection, said: Said, *, since: datetime, told: bool) -> dict[str, Any] | None:
    """What became of this command already, if anything; the saved message takes the record over."""
    row = await _one(conn, "of_message", {**said.place, "since": since})
    if row is not None:
        await conn.execute(_SQL["adopt"].sql, {**said.place, "id": row["id"], "told": told})
    return row


async def record(
    conn: Connection,
    said: Said,
    *,
    kind: str,
    status: str,
    outcome: Mapping[str, Any],
    operation_id: UUID | None,
    told: bool,
    now: datetime,
) -> None:
    """Keep what became of a command."""
    given = {"kind": kind, "status": status, "outcome": Jsonb(dict(outcome)), "operation_id": operation_id}
    await conn.execute(_SQL["record"].sql, {**said.place, **given, "told": told, "now": now})


async def last_command(conn: Connection, said: Said, *, changing: bool = False) -> dict[str, Any] | None:
    """The person's command before this one here; with ``changing`` the last that changed something."""
    return await _one(conn, "last_command", {**said.place, "changing": changing})


async def turn_before(conn: Connection, said: Said) -> TurnBefore | None:
    """What the person said before, held if somebody is looking at it: what they write is waited for."""
    row = await _one(conn, "turn_before", said.place)
    if row is None:
        return None
    at = {"conversation_id": said.conversation_id, "message_id": row["message_id"]}
    held = await _one(conn, "hold_turn", at)
    status, results = (held["status"], held["results"]) if held else (None, [])
    made = [UUID(result["memory_id"]) for result in results]
    created = [UUID(result["memory_id"]) for result in results if result["action"] != "reinforced"]
    return TurnBefore(row["message_id"], row["content"], row["said_at"], status, made, created)


async def end_turn(
    conn: Connection, *, user_id: UUID, conversation_id: UUID, message_id: UUID, now: datetime
) -> UUID | None:
    """Let nothing be made of a turn, not even by who is looking at it; None where it has ended already."""
    given = {"user_id": user_id, "conversation_id": conversation_id, "message_id": message_id, "now": now}
    row = await _one(conn, "end_turn", given)
    return row["id"] if row else None


async def reopen_turn(conn: Connection, *, conversation_id: UUID, message_id: UUID, now: datetime) -> bool:
    """Let a turn that a command ended be looked at after all; whether there was one."""
    given = {"conversation_id": conversation_id, "message_id": message_id, "now": now}
    return await _one(conn, "reopen_turn", given) is not None


async def hold_choices(conn: Connection, said: Said) -> bool:
    """Let nobody change what the person chose until this transaction ends; whether memory may be built."""
    settings = await _one(conn, "hold_settings", said.place)
    await conn.execute(_SQL["hold_participation"].sql, said.place)
    return settings is None or bool(settings["building"])


async def last_used(conn: Connection, said: Said, *, since: datetime) -> list[UUID]:
    """The memories of the newest context made for the person here since then, before the command."""
    row = await _one(conn, "last_used", {**said.place, "since": since, "until": said.said_at})
    return list(row["memory_ids"]) if row else []


async def memories_by_id(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], active: bool = False) -> list[Memory]:
    """These memories of a person, in the order they were stored, whatever their state unless they must be active."""
    if not ids:
        return []
    async with conn.cursor(row_factory=tuple_row) as cursor:
        given = {"user_id": user_id, "ids": list(ids), "active": active}
        rows = await (await cursor.execute(_SQL["memories_by_id"].sql, given)).fetchall()
    return [memory_from(row) for row in rows]


async def current(
    conn: Connection, *, user_id: UUID, profile_id: UUID, persona_id: str | None, words: str, now: datetime
) -> list[tuple[Memory, bool]]:
    """What is current for a persona, most important first, and whether all of the words stand in it."""
    given = {"user_id": user_id, "profile_id": profile_id, "persona_id": persona_id, "words": words, "now": now}
    async with conn.cursor(row_factory=tuple_row) as cursor:
        rows = await (await cursor.execute(_SQL["current_memories"].sql, given)).fetchall()
    return [(memory_from(row[:COLUMNS]), bool(row[COLUMNS])) for row in rows]


async def forget(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Forget these memories, for 30 days so that they can come back; those that were still active."""
    given = {"user_id": user_id, "ids": list(ids), "now": now}
    return [row["id"] for row in await (await conn.execute(_SQL["forget"].sql, given)).fetchall()]


async def clear(conn: Connection, *, user_id: UUID, now: datetime) -> list[UUID]:
    """Forget everything remembered of a person, in all profiles; an operation must have been begun."""
    for query in ("hold_all", "hold_rows"):
        await conn.execute(_SQL[query].sql, {"user_id": user_id})
    return [
        row["id"] for row in await (await conn.execute(_SQL["clear"].sql, {"user_id": user_id, "now": now})).fetchall()
    ]


async def undo(conn: Connection, *, user_id: UUID, operation_id: UUID) -> UUID | None:
    """Take an operation back; the operation that did, or a Conflict where something stands in the way."""
    try:
        async with conn.transaction():
            row = await _one(conn, "undo", {"user_id": user_id, "operation_id": operation_id})
    except psycopg.DatabaseError as error:
        if error.sqlstate in _STANDS_IN_THE_WAY:
            raise Conflict(error.diag.message_primary or "It cannot be undone any more.") from error
        raise
    return UUID(row["undone"]["operation_id"]) if row and row["undone"]["operation_id"] else None


async def end_operation(conn: Connection) -> None:
    """Let the changes to come belong to no operation."""
    await conn.execute(_SQL["end_operation"].sql)


async def _one(conn: Connection, query: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    return await (await conn.execute(_SQL[query].sql, dict(given))).fetchone()
