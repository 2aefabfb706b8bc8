"""Chat commands as they are kept, what "that" is, and the memories a command is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import args_row, dict_row
from psycopg.types.json import Jsonb

from keepsake.domain.commands.command import Status
from keepsake.domain.memory import Memory
from keepsake.errors import Conflict
from keepsake.infra.database import Connection, queries
from keepsake.store.locks import lock_all_memories, lock_all_profiles, lock_turn
from keepsake.store.memories import memory_from

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
    def ids(self) -> dict[str, Any]:
        """Whose, where, and which message."""
        return {"user_id": self.user_id, "conversation_id": self.conversation_id, "message_id": self.message_id}

    @property
    def text_hash(self) -> bytes:
        """What tells the text from others, without its words."""
        return sha256(" ".join(self.text.split()).encode()).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRecord:
    """What became of a command, without a word of text."""

    kind: str
    status: Status
    memory_ids: Sequence[UUID] = ()
    operation_id: UUID | None = None
    reason: str | None = None
    cancelled: UUID | None = None
    """The message before, of which nothing is made any more."""
    total: int | None = None
    """How many memories there were, where not all ids are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierCommand(CommandRecord):
    """A command before the present one."""

    said_at: datetime
    undone: bool
    messages_since: int


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


async def still_said(conn: Connection, said: Said) -> bool:
    """Whether the message has not been deleted meanwhile; one that is yet to be saved has not."""
    return said.message_id is None or await _SQL["message_exists"].value(conn, **said.ids) is not None


async def recorded(conn: Connection, said: Said, *, since: datetime, told: bool) -> CommandRecord | None:
    """What became of this command already, if anything; the saved message takes the record over."""
    row = await _SQL["find_result"].one(conn, dict_row, **said.ids, text_hash=said.text_hash, since=since)
    if row is None:
        return None
    ids = {"user_id": said.user_id, "message_id": said.message_id, "id": row.pop("id")}
    await _SQL["attach_to_message"].execute(conn, **ids, shown_in_context=told)
    return CommandRecord(**_record(**row))


async def record(conn: Connection, said: Said, became: CommandRecord, *, told: bool, now: datetime) -> None:
    """Keep what became of a command."""
    outcome: dict[str, Any] = {"memory_ids": [str(memory_id) for memory_id in became.memory_ids]}
    more = {"reason": became.reason, "cancelled": became.cancelled and str(became.cancelled), "total": became.total}
    outcome |= {name: value for name, value in more.items() if value}
    await _SQL["record_command"].execute(
        conn,
        **said.ids,
        said_at=said.said_at,
        text_hash=said.text_hash,
        kind=became.kind,
        status=became.status,
        outcome=Jsonb(outcome),
        operation_id=became.operation_id,
        shown_in_context=told,
        now=now,
    )


async def last_command(conn: Connection, said: Said, *, changing: bool = False) -> EarlierCommand | None:
    """The person's command before this one here; with ``changing`` the last that changed something."""
    row = await _SQL["last_command"].one(conn, dict_row, **said.ids, said_at=said.said_at, changing=changing)
    return EarlierCommand(**_record(**row)) if row else None


async def turn_before(conn: Connection, said: Said) -> TurnBefore | None:
    """What the person said before, locked if somebody is looking at it: what they write is waited for."""
    row = await _SQL["previous_message"].one(conn, dict_row, **said.ids, said_at=said.said_at)
    if row is None:
        return None
    turn = await lock_turn(conn, conversation_id=said.conversation_id, message_id=row["message_id"])
    status, results = (turn.status, turn.results) if turn else (None, ())
    made = [UUID(result["memory_id"]) for result in results]
    created = [UUID(result["memory_id"]) for result in results if result["action"] != "reinforced"]
    return TurnBefore(row["message_id"], row["content"], row["said_at"], status, made, created)


async def end_turn(
    conn: Connection, *, user_id: UUID, conversation_id: UUID, message_id: UUID, now: datetime
) -> UUID | None:
    """Let nothing be made of a turn, not even by who is looking at it; None where it has ended already."""
    row_id: UUID | None = await _SQL["end_turn"].value(
        conn, user_id=user_id, conversation_id=conversation_id, message_id=message_id, now=now
    )
    return row_id


async def reopen_turn(conn: Connection, *, conversation_id: UUID, message_id: UUID, now: datetime) -> bool:
    """Let a turn that a command ended be looked at after all; whether there was one."""
    given = {"conversation_id": conversation_id, "message_id": message_id, "now": now}
    return await _SQL["reopen_turn"].value(conn, **given) is not None


async def last_used(conn: Connection, said: Said, *, since: datetime) -> list[UUID]:
    """The memories of the newest context made for the person here since then, before the command."""
    given = {"user_id": said.user_id, "conversation_id": said.conversation_id, "since": since, "until": said.said_at}
    return list(await _SQL["last_injected_memories"].value(conn, **given) or ())


async def memories_by_id(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], active: bool = False) -> list[Memory]:
    """These memories of a person, in the order they were stored, whatever their state unless they must be active."""
    if not ids:
        return []
    return await _SQL["memories_by_id"].all(conn, args_row(memory_from), user_id=user_id, ids=list(ids), active=active)


async def current(
    conn: Connection, *, user_id: UUID, profile_id: UUID, persona_id: str | None, words: str, now: datetime
) -> list[tuple[Memory, bool]]:
    """What is current for a persona, most important first, and whether all of the words stand in it."""
    given = {"user_id": user_id, "profile_id": profile_id, "persona_id": persona_id, "words": words, "now": now}
    return await _SQL["current_memories"].all(conn, args_row(_current), **given)


async def forget(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Forget these memories, for 30 days so that they can come back; those that were still active."""
    return await _SQL["forget"].values(conn, user_id=user_id, ids=list(ids), now=now)


async def clear(conn: Connection, *, user_id: UUID, now: datetime) -> list[UUID]:
    """Forget everything remembered of a person, in all profiles; an operation must have been begun."""
    await lock_all_profiles(conn, user_id=user_id)
    await lock_all_memories(conn, user_id=user_id)
    return await _SQL["forget_all"].values(conn, user_id=user_id, now=now)


async def undo(conn: Connection, *, user_id: UUID, operation_id: UUID) -> UUID | None:
    """Take an operation back; the operation that did, or a Conflict where something stands in the way."""
    try:
        async with conn.transaction():
            undone = await _SQL["undo_operation"].value(conn, user_id=user_id, operation_id=operation_id)
    except psycopg.DatabaseError as error:
        if error.sqlstate in _STANDS_IN_THE_WAY:
            raise Conflict(error.diag.message_primary or "It cannot be undone any more.") from error
        raise
    return UUID(undone["operation_id"]) if undone and undone["operation_id"] else None


def _record(*, outcome: Mapping[str, Any], **row: Any) -> dict[str, Any]:
    """The columns of a record as its fields."""
    cancelled = outcome.get("cancelled")
    return row | {
        "memory_ids": [UUID(memory_id) for memory_id in outcome.get("memory_ids", ())],
        "reason": outcome.get("reason"),
        "cancelled": UUID(cancelled) if cancelled else None,
        "total": outcome.get("total"),
    }


def _current(*row: Any) -> tuple[Memory, bool]:
    *memory, says_it = row
    return memory_from(*memory), bool(says_it)
