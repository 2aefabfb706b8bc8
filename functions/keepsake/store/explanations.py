"""What is kept of how a message was read and of what was done to a memory, for ``keepsake explain``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row, tuple_row

from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import TurnKey

_SQL = queries.load("explanations")


@dataclass(frozen=True, slots=True)
class MessageRow:
    """Where a message stands, and who wrote it."""

    conversation_id: UUID
    user_id: UUID | None
    created_at: datetime
    timezone: str | None


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """What is kept of the extraction of a message."""

    status: str
    reason: str | None
    generator: str | None
    model: str | None
    dropped: Mapping[str, int]
    truncated: bool
    operation_id: UUID | None
    attempts: int
    model_failures: int
    bad_replies: int
    created_at: datetime
    next_attempt_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeptChange:
    """One change of a memory; without a text where the memory was forgotten."""

    memory_id: UUID
    memory_no: int | None
    action: str
    status_before: str | None
    status_after: str | None
    is_doubted: bool | None
    source_after: str | None
    text: str | None
    text_before: str | None
    """Where the change is one of the text."""
    actor: str
    reason: str | None
    why: str | None
    created_at: datetime
    undone_at: datetime | None
    operation_id: UUID
    message_id: UUID | None = None
    """The message by which it was made, with its date and its words, where one is known."""
    said_at: datetime | None = None
    said: str | None = None
    newer_no: int | None = None
    """The memory that took the place of this one."""
    newer_text: str | None = None
    newer_is_removed: bool | None = None
    """Whether an undo has removed it since."""

    @property
    def is_return(self) -> bool:
        """Whether the memory counts again by it."""
        return self.action == "update" and self.status_before != self.status_after == "active"


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory, with what says where it is from."""

    id: UUID
    user_id: UUID
    memory_no: int
    type: str
    text: str
    status: str
    source: str
    quote: str | None
    confidence: float
    conversation_id: UUID | None
    source_message_id: UUID | None
    created_at: datetime
    valid_from: datetime
    restated_at: datetime | None
    valid_to: datetime | None
    doubted_at: datetime | None
    deleted_at: datetime | None
    expires_at: datetime | None
    period: str | None
    reference_count: int
    said_at: datetime | None
    """The date and the words of the message that it is from."""
    said: str | None
    shown_at: datetime | None
    """When the assistant was last shown it, as far as that is kept."""
    timezone: str | None


async def find_message(conn: Connection, message_id: UUID) -> MessageRow | None:
    """Where a message stands; None where there is no such message."""
    return await _SQL["find_message"].one(conn, class_row(MessageRow), message_id=message_id)


async def find_turn(conn: Connection, key: TurnKey) -> KeptTurn | None:
    """What is kept of the extraction of a message; None where nothing is."""
    return await _SQL["kept_turn"].one(conn, class_row(KeptTurn), **key.params)


async def changes_of_operation(conn: Connection, message: MessageRow, kept: KeptTurn) -> list[KeptChange]:
    """What the operation of a message's author did to memories, in order."""
    ids = {"user_id": message.user_id, "operation_id": kept.operation_id}
    return await _SQL["changes_of_operation"].all(conn, class_row(KeptChange), **ids)


async def find_memory(
    conn: Connection, *, id: UUID | None, user_id: UUID | None, number: int | None
) -> MemoryRow | None:
    """A memory by its id, or by its number among those of a person."""
    return await _SQL["find_memory"].one(conn, class_row(MemoryRow), id=id, user_id=user_id, number=number)


async def changes_of_memory(conn: Connection, memory: MemoryRow) -> list[KeptChange]:
    """What was done to a memory, in order."""
    return await _SQL["changes_of_memory"].all(conn, class_row(KeptChange), id=memory.id, user_id=memory.user_id)


async def texts_of_memories(conn: Connection, *, user_id: UUID | None, numbers: Iterable[int]) -> dict[int, str]:
    """The texts of a person's memories by their numbers; without those that are forgotten."""
    found = await _SQL["texts_of_memories"].all(conn, tuple_row, user_id=user_id, numbers=sorted(numbers))
    return dict(found)
