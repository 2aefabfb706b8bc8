"""Records chat commands, and reads the turn and the memories that a command refers to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from psycopg.rows import args_row, dict_row
from psycopg.types.json import Jsonb

from keepsake.domain.commands.match_subject import PastSearch
from keepsake.domain.commands.outcome import Status
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Memory
from keepsake.infra.database import Connection, queries
from keepsake.store.locks import lock_all_memories, lock_all_profiles, lock_turn
from keepsake.store.memories import memory_from
from keepsake.store.operations import MemoryWriter
from keepsake.store.turns import FINISHED
from keepsake.store.undo import undo_operation

_SQL = queries.load("chat_commands")
MODEL_FORGET = "model_forget"
"""The kind of a record that no command made: a model read that the message asks to forget."""
_MADE = ("created", "superseded")
"""What an extraction did where it made a memory: the other actions are about a memory from before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRecord:
    """The result of a command, without any text."""

    kind: str
    status: Status
    memory_ids: Sequence[UUID] = ()
    operation_id: UUID | None = None
    reason: str | None = None
    cancelled: UUID | None = None
    """The previous message, from which nothing is extracted any more."""
    total: int | None = None
    """The number of memories, where not all ids are recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierCommand(CommandRecord):
    """A command before the current one."""

    said_at: datetime
    undone: bool
    messages_since: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """The record of something forgotten that no context has told yet."""

    id: UUID
    conversation_id: UUID | None
    memory_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class PreviousTurn:
    """The person's message before a command, and the result of its extraction."""

    message_id: UUID
    content: str
    said_at: datetime
    status: str | None
    actions: Mapping[UUID, str]
    """Its memories, and what was done to each."""
    operation_id: UUID | None = None
    """The operation that its extraction was."""

    @property
    def is_finished(self) -> bool:
        """Whether its extraction has ended."""
        return self.status in FINISHED

    @property
    def made_ids(self) -> list[UUID]:
        """The memories that it made."""
        return [memory_id for memory_id, action in self.actions.items() if action in _MADE]

    @property
    def stated_ids(self) -> list[UUID]:
        """The memories that hold what it says: those it made, and those it repeated."""
        return [memory_id for memory_id, action in self.actions.items() if action in {*_MADE, "reinforced"}]

    @property
    def changed_ids(self) -> list[UUID]:
        """The memories from before that it ended or doubted."""
        return [memory_id for memory_id in self.actions if memory_id not in self.stated_ids]

    @property
    def only_repeats(self) -> bool:
        """Whether everything it says was known before."""
        return bool(self.actions) and set(self.actions.values()) == {"reinforced"}


async def still_counts(conn: Connection, turn: TurnContext) -> bool:
    """Whether the message still exists, and nothing that was said until then was erased since it was read."""
    return await _SQL["still_counts"].value(conn, **turn_ids(turn), said_at=turn.said_at) is not None


async def find_result(
    conn: Connection, turn: TurnContext, *, since: datetime, shown_in_context: bool
) -> CommandRecord | None:
    """The recorded result of this command, if it ran already; the record is attached to the saved message."""
    row = await _SQL["find_result"].one(conn, dict_row, **turn_ids(turn), text_hash=_text_hash(turn), since=since)
    if row is None:
        return None
    ids = {"user_id": turn.author, "message_id": turn.message_id, "id": row.pop("id")}
    await _SQL["attach_to_message"].execute(conn, **ids, shown_in_context=shown_in_context)
    return CommandRecord(**_fields(**row))


async def record_result(
    conn: Connection, turn: TurnContext, record: CommandRecord, *, shown_in_context: bool, now: datetime
) -> None:
    """Record the result of a command."""
    outcome: dict[str, Any] = {"memory_ids": [str(memory_id) for memory_id in record.memory_ids]}
    more = {"reason": record.reason, "cancelled": record.cancelled and str(record.cancelled), "total": record.total}
    outcome |= {name: value for name, value in more.items() if value}
    await _SQL["record_command"].execute(
        conn,
        **turn_ids(turn),
        said_at=turn.said_at,
        text_hash=_text_hash(turn),
        kind=record.kind,
        status=record.status,
        outcome=Jsonb(outcome),
        operation_id=record.operation_id,
        shown_in_context=shown_in_context,
        now=now,
    )


async def unshown_receipts(conn: Connection, *, user_id: UUID, now: datetime) -> list[Receipt]:
    """What was forgotten as a model read it, and no context has told yet."""
    return await _SQL["unshown_receipts"].all(conn, args_row(_receipt), user_id=user_id, now=now)


async def mark_receipts_shown(conn: Connection, ids: Sequence[UUID], *, user_id: UUID) -> None:
    """Note that a context told of these."""
    await _SQL["mark_receipts_shown"].execute(conn, user_id=user_id, ids=list(ids))


async def last_command(conn: Connection, turn: TurnContext, *, changing: bool = False) -> EarlierCommand | None:
    """The person's previous command in this conversation; with ``changing`` the last one that changed something."""
    row = await _SQL["last_command"].one(conn, dict_row, **turn_ids(turn), said_at=turn.said_at, changing=changing)
    return EarlierCommand(**_fields(**row)) if row else None


async def previous_turn(conn: Connection, turn: TurnContext) -> PreviousTurn | None:
    """The person's previous message and its extraction; an extraction that is writing is waited for."""
    row = await _SQL["previous_message"].one(conn, dict_row, **turn_ids(turn), said_at=turn.said_at)
    if row is None:
        return None
    locked = await lock_turn(conn, conversation_id=turn.conversation_id, message_id=row["message_id"])
    status, results, operation_id = (locked.status, locked.results, locked.operation_id) if locked else (None, (), None)
    actions = {UUID(result["memory_id"]): result["action"] for result in results}
    return PreviousTurn(row["message_id"], row["content"], row["said_at"], status, actions, operation_id)


async def text_before(conn: Connection, turn: TurnContext) -> str | None:
    """The text of the person's message before; nothing is locked."""
    row = await _SQL["previous_message"].one(conn, dict_row, **turn_ids(turn), said_at=turn.said_at)
    return None if row is None else str(row["content"])


async def end_turn(
    conn: Connection, *, user_id: UUID, conversation_id: UUID, message_id: UUID, now: datetime
) -> UUID | None:
    """End the extraction of a turn, even while it is claimed; None where it has ended already."""
    return await _SQL["end_turn"].value(
        conn, user_id=user_id, conversation_id=conversation_id, message_id=message_id, now=now
    )


async def reopen_turn(conn: Connection, *, conversation_id: UUID, message_id: UUID, now: datetime) -> bool:
    """Requeue a turn that a command had ended; returns whether there was one."""
    params = {"conversation_id": conversation_id, "message_id": message_id, "now": now}
    return await _SQL["reopen_turn"].value(conn, **params) is not None


async def last_injected(conn: Connection, turn: TurnContext, *, since: datetime) -> list[UUID]:
    """The memories of the newest context that was injected here since then and before the command."""
    params = {"user_id": turn.author, "conversation_id": turn.conversation_id, "since": since, "until": turn.said_at}
    return list(await _SQL["last_injected_memories"].value(conn, **params) or ())


async def current_memories(
    conn: Connection, *, user_id: UUID, profile_id: UUID, persona_id: str | None, words: str, now: datetime
) -> list[tuple[Memory, bool]]:
    """The current memories of a persona, most important first, each with whether it contains all of the words."""
    params = {"user_id": user_id, "profile_id": profile_id, "persona_id": persona_id, "words": words, "now": now}
    return await _SQL["current_memories"].all(conn, args_row(_with_match), **params)


async def remembered(writer: MemoryWriter, search: PastSearch) -> list[tuple[Memory, bool]]:
    """The active memories, and the ended ones that the search finds, each with whether it contains all of the words."""
    params = {**_scope(writer), "profile_id": writer.profile_id, "words": search.words, "number": search.number}
    params |= {"terms": list(search.terms), "parts": list(search.parts)}
    return await _SQL["remembered"].all(writer.conn, args_row(_with_match), **params)


async def predecessors(writer: MemoryWriter, ids: Sequence[UUID]) -> list[Memory]:
    """What these memories superseded, directly or through another, newest first."""
    return await _SQL["predecessors"].all(writer.conn, args_row(memory_from), **_scope(writer), ids=list(ids))


async def forget(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Soft-delete these memories; returns the ids of those that were not deleted yet."""
    return await _SQL["forget"].values(conn, user_id=user_id, ids=list(ids), now=now)


async def forget_all(conn: Connection, *, user_id: UUID, now: datetime) -> list[UUID]:
    """Soft-delete all memories of a person, in all profiles, within the operation that has begun."""
    await lock_all_profiles(conn, user_id=user_id)
    await lock_all_memories(conn, user_id=user_id)
    return await _SQL["forget_all"].values(conn, user_id=user_id, now=now)


async def set_building(conn: Connection, *, user_id: UUID, building: bool) -> None:
    """Pause the building of memories, or resume it."""
    await _SQL["set_building"].execute(conn, user_id=user_id, building=building)


async def undo(conn: Connection, *, user_id: UUID, operation_id: UUID) -> UUID | None:
    """Undo an operation; returns the undoing operation, raises Conflict where later changes prevent it."""
    undo_id, affected = await undo_operation(conn, user_id=user_id, operation_id=operation_id)
    return undo_id if affected else None


def turn_ids(turn: TurnContext) -> dict[str, UUID | None]:
    """The parameters that name a message."""
    return {"user_id": turn.author, "conversation_id": turn.conversation_id, "message_id": turn.message_id}


def _scope(writer: MemoryWriter) -> dict[str, Any]:
    return {"user_id": writer.user_id, "persona_id": writer.origin.persona_id}


def _text_hash(turn: TurnContext) -> bytes:
    """A hash that recognizes the same text, without storing its words."""
    return sha256(" ".join(turn.text.split()).encode()).digest()


def _fields(*, outcome: Mapping[str, Any], **row: Any) -> dict[str, Any]:
    """The fields of a record from its columns."""
    cancelled = outcome.get("cancelled")
    return row | {
        "memory_ids": [UUID(memory_id) for memory_id in outcome.get("memory_ids", ())],
        "reason": outcome.get("reason"),
        "cancelled": UUID(cancelled) if cancelled else None,
        "total": outcome.get("total"),
    }


def _receipt(id: UUID, conversation_id: UUID | None, outcome: Mapping[str, Any]) -> Receipt:
    return Receipt(id, conversation_id, [UUID(memory_id) for memory_id in outcome.get("memory_ids", ())])


def _with_match(*row: Any) -> tuple[Memory, bool]:
    *memory, has_all_words = row
    return memory_from(*memory), bool(has_all_words)
