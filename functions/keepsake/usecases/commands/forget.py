"""Forgets memories by subject or by id: soft, and as one operation that can be undone for 30 days."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.commands.outcome import Outcome
from keepsake.domain.memory import Memory, Source, Status
from keepsake.infra.readers import Readers
from keepsake.store import chat_commands, consolidation, memories, todos
from keepsake.store.locks import lock_memories, lock_profile_of
from keepsake.store.operations import MemoryWriter, Operation
from keepsake.usecases.commands.find_memories import find_all_about, read_subject


async def forget(writer: MemoryWriter, readers: Readers, text: str) -> Outcome:
    """Forget the memories and to-dos about a subject, past ones too; ``nothing`` where none matches.

    The outcome contains what was forgotten and the operation to undo.
    """
    subject = await read_subject(readers, text)
    await lock_profile_of(writer)
    found = await find_all_about(writer, subject)
    if not found:
        return await _forget_todos(writer, text)
    async with writer.begin_operation("forget") as op:
        await todos.forget_about(writer, text)
        if await _open_folds(writer, found):  # only the member that matches is forgotten
            found = await find_all_about(writer, subject)
        return await _forget(writer, found, op)


async def forget_memories(writer: MemoryWriter, found: Sequence[Memory]) -> Outcome:
    """Forget these memories, under the merge lock of their profile; ``nothing`` where there is none."""
    if not found:
        return Outcome("nothing", reason="no_match")
    async with writer.begin_operation("forget") as op:
        await _open_folds(writer, [memory for memory in found if memory.source is not Source.FOLD])
        return await _forget(writer, found, op)


async def forget_active(writer: MemoryWriter, memory_ids: Sequence[UUID]) -> Outcome:
    """Forget those of the memories that are active."""
    await lock_profile_of(writer)
    found = await memories.by_id(writer.conn, user_id=writer.user_id, ids=memory_ids, active=True)
    return await forget_memories(writer, found)


async def _forget_todos(writer: MemoryWriter, subject: str) -> Outcome:
    """Forget the to-dos about a subject that no memory is about."""
    async with writer.begin_operation("forget") as op:
        forgotten = await todos.forget_about(writer, subject)
    return Outcome("done", operation_id=op.id) if forgotten else Outcome("nothing", reason="no_match")


async def forget_everything(writer: MemoryWriter) -> Outcome:
    """Forget all memories of the person, in every profile, as ``clear_my_memories`` does."""
    async with writer.begin_operation("clear") as op:
        ids = await chat_commands.forget_all(writer.conn, user_id=writer.user_id, now=writer.now)
    if not ids:
        return Outcome("nothing", reason="no_match")
    found = await memories.by_id(writer.conn, user_id=writer.user_id, ids=ids)
    return Outcome("done", tuple(found), op.id)


async def _open_folds(writer: MemoryWriter, found: Sequence[Memory]) -> bool:
    """Open the folds that these memories are, or are in, within the operation; returns whether there was one."""
    ids = [memory.id for memory in found]
    return await consolidation.open_folds(writer.conn, user_id=writer.user_id, of=ids)


async def _forget(writer: MemoryWriter, found: Sequence[Memory], op: Operation) -> Outcome:
    ids = [memory.id for memory in found]
    await lock_memories(writer.conn, user_id=writer.user_id, ids=ids)
    changed = set(await chat_commands.forget(writer.conn, user_id=writer.user_id, ids=ids, now=writer.now))
    forgotten = tuple(memory._replace(status=Status.DELETED) for memory in found if memory.id in changed)
    return Outcome("done", forgotten, op.id) if forgotten else Outcome("nothing", reason="no_match")
