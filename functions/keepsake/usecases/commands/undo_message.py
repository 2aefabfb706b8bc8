"""Undoes what a message did: its extraction, or what is left of it."""

from __future__ import annotations

from keepsake.domain.commands.outcome import Outcome
from keepsake.domain.memory import Status
from keepsake.errors import Conflict, NotFound
from keepsake.store import chat_commands, memories
from keepsake.store.chat_commands import PreviousTurn
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.commands.forget import forget_active


async def undo_message(writer: MemoryWriter, previous: PreviousTurn) -> Outcome | None:
    """Undo what a message did; where something changed since, forget what it made. None where it did nothing.

    The outcome contains what it made, deleted; else, as ``restored``, the memories that it had ended or doubted.
    """
    if previous.operation_id is None:
        return None
    conn, user_id = writer.conn, writer.user_id
    made = await memories.by_id(conn, user_id=user_id, ids=previous.made_ids, active=True)
    try:
        operation_id = await chat_commands.undo(conn, user_id=user_id, operation_id=previous.operation_id)
    except (Conflict, NotFound):
        if made:
            return await forget_active(writer, previous.made_ids)
        changed = await memories.by_id(conn, user_id=user_id, ids=previous.changed_ids)
        is_undone = all(memory.status is Status.ACTIVE and memory.doubted_at is None for memory in changed)
        return None if is_undone else Outcome("refused", reason="conflict")
    if made:
        return Outcome("done", tuple(memory._replace(status=Status.DELETED) for memory in made), operation_id)
    changed = await memories.by_id(conn, user_id=user_id, ids=previous.changed_ids)
    return Outcome("done", tuple(changed), operation_id, reason="restored" if changed else None)
