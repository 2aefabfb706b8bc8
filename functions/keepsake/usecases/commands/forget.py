"""Forgets on the person's own word: by subject or by id, softly, as one operation that can be undone for 30 days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from keepsake.domain.commands import Outcome
from keepsake.domain.commands.match_subject import about, called, searched
from keepsake.domain.entities.entity import keys_of
from keepsake.domain.memory import Memory, Source, Status
from keepsake.store import commands, curation, entities, memories
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
    await memories.lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
    operation_id = uuid4()
    if subject is not None:
        found = await known_about(where, subject)
        if await _opened(where, found, operation_id, reason):  # only the ones that are meant, not what they stand with
            found = await known_about(where, subject)
    else:
        found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=memory_ids or (), active=True)
    if not found:
        return Outcome("nothing", reason="no_match")
    return await _forget(where, found, operation_id, reason)


async def forget_everything(where: Where) -> Outcome:
    """Forget everything remembered of the person, in every profile, as ``clear_my_memories`` does."""
    operation_id = uuid4()
    await memories.begin_operation(where.conn, operation_id=operation_id, actor=where.actor, reason="clear")
    gone = await commands.clear(where.conn, user_id=where.user_id, now=where.now)
    await commands.end_operation(where.conn)
    if not gone:
        return Outcome("nothing", reason="no_match")
    found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=gone)
    return Outcome("done", tuple(found), operation_id)


async def known_about(where: Where, subject: str | None) -> list[Memory]:
    """What is current of a subject, or everything where there is none, most important first."""
    known = await commands.current(
        where.conn,
        user_id=where.user_id,
        profile_id=where.profile_id,
        persona_id=where.persona_id,
        words=searched(subject or ""),
        now=where.now,
    )
    if subject is None:
        return [memory for memory, _ in known]
    named = await entities.known(where.conn, user_id=where.user_id, profile_id=where.profile_id)
    aliases = {key for name in called(subject) for key in keys_of(name, named)}
    return about(subject, known, said_at=where.said_at, aliases=aliases)


async def _opened(where: Where, found: Sequence[Memory], operation_id: UUID, reason: str) -> bool:
    """Open the folds among the memories, within the operation; whether there was one."""
    folds = [memory.id for memory in found if memory.source is Source.CURATED_FOLD]
    if not folds:
        return False
    await memories.begin_operation(where.conn, operation_id=operation_id, actor=where.actor, reason=reason)
    return await curation.open_folds(where.conn, user_id=where.user_id, of=folds)


async def _forget(where: Where, found: Sequence[Memory], operation_id: UUID, reason: str) -> Outcome:
    ids = [memory.id for memory in found]
    await memories.hold(where.conn, user_id=where.user_id, ids=ids)
    await memories.begin_operation(where.conn, operation_id=operation_id, actor=where.actor, reason=reason)
    gone = set(await commands.forget(where.conn, user_id=where.user_id, ids=ids, now=where.now))
    await commands.end_operation(where.conn)
    forgotten = tuple(replace(memory, status=Status.DELETED) for memory in found if memory.id in gone)
    return Outcome("done", forgotten, operation_id) if forgotten else Outcome("nothing", reason="no_match")
