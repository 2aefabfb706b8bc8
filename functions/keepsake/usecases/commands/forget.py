"""Forgets memories by subject or by id: soft, and as one operation that can be undone for 30 days."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.commands import Outcome
from keepsake.domain.commands.match_subject import memories_about, names_in, search_words
from keepsake.domain.entities.entity import keys_named
from keepsake.domain.memory import Memory, Source, Status
from keepsake.store import chat_commands, consolidation, entities, memories, todos
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.operations import MemoryWriter, Operation


async def forget(
    writer: MemoryWriter,
    *,
    subject: str | None = None,
    memory_ids: Sequence[UUID] | None = None,
) -> Outcome:
    """Forget the memories and to-dos about a subject, or these memories; ``nothing`` where none matches.

    The outcome contains what was forgotten and the operation to undo.
    """
    conn, user_id = writer.conn, writer.user_id
    await lock_profile(conn, user_id=user_id, profile_id=writer.profile_id)
    if subject is not None:
        found = await find_memories_about(writer, subject)
    else:
        found = await memories.by_id(conn, user_id=user_id, ids=memory_ids or (), active=True)
    if not found:
        return await _forget_todos(writer, subject)
    async with writer.begin_operation("forget") as op:
        if subject is not None:
            await todos.forget_about(writer, subject)
        if subject is not None and await _open_folds(writer, found):  # only the member that matches is forgotten
            found = await find_memories_about(writer, subject)
        return await _forget(writer, found, op)


async def _forget_todos(writer: MemoryWriter, subject: str | None) -> Outcome:
    """Forget the to-dos about a subject that no memory is about."""
    async with writer.begin_operation("forget") as op:
        forgotten = await todos.forget_about(writer, subject) if subject is not None else 0
    return Outcome("done", operation_id=op.id) if forgotten else Outcome("nothing", reason="no_match")


async def forget_everything(writer: MemoryWriter) -> Outcome:
    """Forget all memories of the person, in every profile, as ``clear_my_memories`` does."""
    async with writer.begin_operation("clear") as op:
        ids = await chat_commands.forget_all(writer.conn, user_id=writer.user_id, now=writer.now)
    if not ids:
        return Outcome("nothing", reason="no_match")
    found = await memories.by_id(writer.conn, user_id=writer.user_id, ids=ids)
    return Outcome("done", tuple(found), op.id)


async def find_memories_about(writer: MemoryWriter, subject: str | None) -> list[Memory]:
    """The current memories about a subject, or all of them where there is none, most important first."""
    user_id, profile_id, origin = writer.user_id, writer.profile_id, writer.origin
    current = await chat_commands.current_memories(
        writer.conn,
        user_id=user_id,
        profile_id=profile_id,
        persona_id=origin.persona_id,
        words=search_words(subject or ""),
        now=writer.now,
    )
    if subject is None:
        return [memory for memory, _ in current]
    named = await entities.find_entities(writer.conn, user_id=user_id, profile_id=profile_id)
    aliases = {key for name in names_in(subject) for key in keys_named(name, named)}
    return memories_about(subject, current, said_at=origin.said_at, aliases=aliases)


async def _open_folds(writer: MemoryWriter, found: Sequence[Memory]) -> bool:
    """Open the folds among the memories, within the operation that has begun; returns whether there was one."""
    folds = [memory.id for memory in found if memory.source is Source.FOLD]
    return bool(folds) and await consolidation.open_folds(writer.conn, user_id=writer.user_id, of=folds)


async def _forget(writer: MemoryWriter, found: Sequence[Memory], op: Operation) -> Outcome:
    ids = [memory.id for memory in found]
    await lock_memories(writer.conn, user_id=writer.user_id, ids=ids)
    changed = set(await chat_commands.forget(writer.conn, user_id=writer.user_id, ids=ids, now=writer.now))
    forgotten = tuple(memory._replace(status=Status.DELETED) for memory in found if memory.id in changed)
    return Outcome("done", forgotten, op.id) if forgotten else Outcome("nothing", reason="no_match")
