"""Forgets on the person's own word: by subject or by id, softly, as one operation that can be undone for 30 days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from keepsake.domain.commands import Outcome
from keepsake.domain.commands.match_subject import memories_about, names_in, search_words
from keepsake.domain.entities.entity import keys_named
from keepsake.domain.memory import Memory, Source, Status
from keepsake.store import commands, consolidation, entities
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.operations import Operation, operation
from keepsake.usecases.commands.where import Where


async def forget(
    where: Where,
    *,
    subject: str | None = None,
    memory_ids: Sequence[UUID] | None = None,
    reason: str = "forget",
) -> Outcome:
    """Forget what is remembered of a subject, or these memories; nothing else is touched.

    The outcome names what was forgotten and the operation to undo; ``nothing`` where nothing matched.
    """
    await lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
    if subject is not None:
        found = await known_about(where, subject)
    else:
        found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=memory_ids or (), active=True)
    if not found:
        return Outcome("nothing", reason="no_match")
    async with operation(where.conn, actor=where.actor, reason=reason) as op:
        if subject is not None and await _opened(where, found):  # what is meant alone, not what it was folded with
            found = await known_about(where, subject)
        return await _forget(where, found, op)


async def forget_everything(where: Where) -> Outcome:
    """Forget everything remembered of the person, in every profile, as ``clear_my_memories`` does."""
    async with operation(where.conn, actor=where.actor, reason="clear") as op:
        gone = await commands.clear(where.conn, user_id=where.user_id, now=where.now)
    if not gone:
        return Outcome("nothing", reason="no_match")
    found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=gone)
    return Outcome("done", tuple(found), op.id)


async def known_about(where: Where, subject: str | None) -> list[Memory]:
    """What is current of a subject, or everything where there is none, most important first."""
    known = await commands.current(
        where.conn,
        user_id=where.user_id,
        profile_id=where.profile_id,
        persona_id=where.persona_id,
        words=search_words(subject or ""),
        now=where.now,
    )
    if subject is None:
        return [memory for memory, _ in known]
    named = await entities.known(where.conn, user_id=where.user_id, profile_id=where.profile_id)
    aliases = {key for name in names_in(subject) for key in keys_named(name, named)}
    return memories_about(subject, known, said_at=where.said_at, aliases=aliases)


async def _opened(where: Where, found: Sequence[Memory]) -> bool:
    """Open the folds among the memories, within the operation that has begun; whether there was one."""
    folds = [memory.id for memory in found if memory.source is Source.FOLD]
    return bool(folds) and await consolidation.open_folds(where.conn, user_id=where.user_id, of=folds)


async def _forget(where: Where, found: Sequence[Memory], op: Operation) -> Outcome:
    ids = [memory.id for memory in found]
    await lock_memories(where.conn, user_id=where.user_id, ids=ids)
    gone = set(await commands.forget(where.conn, user_id=where.user_id, ids=ids, now=where.now))
    forgotten = tuple(replace(memory, status=Status.DELETED) for memory in found if memory.id in gone)
    return Outcome("done", forgotten, op.id) if forgotten else Outcome("nothing", reason="no_match")
