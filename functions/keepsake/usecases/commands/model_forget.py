"""Forgets what a model reads that a message asks to forget, and keeps a receipt, which the next context shows.

The message had its context before the model read it, so the person is told with their next message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from keepsake.domain.commands.replies import forgotten_since
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Status
from keepsake.infra.database import Connection
from keepsake.store import chat_commands, memories
from keepsake.store.chat_commands import MODEL_FORGET, CommandRecord
from keepsake.store.injections import InjectionTurn
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.commands.forget import forget_active


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What was forgotten since the last context, as the assistant is to tell it."""

    ids: Sequence[UUID]
    """The records that it tells of."""
    text: str


async def forget_as_read(writer: MemoryWriter, turn: TurnContext, memory_ids: Sequence[UUID]) -> None:
    """Forget the memories that a message asks to forget, as an operation of its own, and keep the receipt."""
    outcome = await forget_active(writer, memory_ids)
    if outcome.operation_id is not None:
        record = CommandRecord(
            kind=MODEL_FORGET,
            status=outcome.status,
            memory_ids=[memory.id for memory in outcome.memories],
            operation_id=outcome.operation_id,
        )
        await chat_commands.record_result(writer.conn, turn, record, shown_in_context=False, now=writer.now)


async def find_receipt(conn: Connection, injected: InjectionTurn, now: datetime) -> ForgetReceipt | None:
    """What no context has told yet; not where others read the answer, and nothing of another persona."""
    turn, author = injected.turn, injected.turn.author
    if not injected.has_receipts or injected.shared or author is None:
        return None
    records = await chat_commands.unshown_receipts(conn, user_id=author, now=now)
    found = await memories.by_id(conn, user_id=author, ids=[one for record in records for one in record.memory_ids])
    hidden = {memory.id for memory in found if memory.persona_id not in {None, turn.persona_id}}
    readable = [record for record in records if hidden.isdisjoint(record.memory_ids)]
    ids = {one for record in readable for one in record.memory_ids}
    deleted = [memory for memory in found if memory.id in ids and memory.status is Status.DELETED]
    if not deleted:
        return None
    is_here = any(record.conversation_id == turn.conversation_id for record in readable)
    return ForgetReceipt([record.id for record in readable], forgotten_since(deleted, can_undo=is_here))
