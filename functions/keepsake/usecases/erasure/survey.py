"""Surveys an erasure: the memories of the target, their audit log, and the rows that depend on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from keepsake.infra.database import Connection
from keepsake.store import erasure_scope
from keepsake.store.erasure import Scope
from keepsake.store.erasure_scope import (
    ByProfile,
    BySubject,
    ErasureTarget,
    Everything,
    PersonConversation,
    TargetMemory,
)


@dataclass(frozen=True, slots=True)
class Survey:
    """The scope of an erasure, and what to report about it."""

    scope: Scope
    memories: tuple[TargetMemory, ...]
    successors: tuple[int, ...]
    """The numbers of memories that superseded an erased one; they stay, because they have other sources."""
    conversations: tuple[PersonConversation, ...]


async def survey(conn: Connection, target: ErasureTarget) -> Survey:
    """Find everything in scope, within the transaction that erases it or only reports."""
    mentioning = await erasure_scope.mentioning_messages(conn, target)
    words = target.words
    if isinstance(target.selection, BySubject):
        target = replace(target, selection=await _with_entities(conn, target.user_id, target.selection))
    memories = await erasure_scope.target_memories(conn, target)
    ids = [memory.id for memory in memories]
    conversations = [
        one for one in await erasure_scope.conversations(conn, target.user_id) if _is_in_scope(one, target)
    ]
    sources: dict[UUID, UUID] = {}
    row_ids: Sequence[UUID] = ()
    changes: Sequence[int] = ()
    successors: Sequence[int] = ()
    if not isinstance(target.selection, Everything):
        sources = await erasure_scope.source_messages(
            conn,
            target,
            memory_ids=ids,
            message_ids=[memory.message_id for memory in memories if memory.message_id],
            conversation_ids=[one.id for one in conversations],
        )
        row_ids = await erasure_scope.dependent_rows(conn, target, memory_ids=ids)
        changes = await erasure_scope.matching_changes(conn, target, row_ids=[*ids, *row_ids])
        successors = await erasure_scope.successors(conn, user_id=target.user_id, memory_ids=ids)
    touched = {memory.conversation_id for memory in memories if memory.conversation_id} | set(sources.values())
    touched |= set(mentioning.values())
    scope = Scope(
        user_id=target.user_id,
        now=target.now,
        everything=isinstance(target.selection, Everything),
        include_messages=target.include_messages,
        memory_ids=ids,
        row_ids=row_ids,
        message_ids=list(sources),
        conversation_ids=sorted(touched | {one.id for one in conversations if one.has_written}),
        own_conversation_ids=[one.id for one in conversations if one.is_alone],
        change_seqs=changes,
        subject=words,
        mentioning_ids=list(mentioning),
    )
    return Survey(scope, tuple(memories), tuple(successors), tuple(conversations))


async def _with_entities(conn: Connection, user_id: UUID, selection: BySubject) -> BySubject:
    """The subject with the keys of all entities that it names."""
    keys = await erasure_scope.matching_entities(
        conn, user_id=user_id, entity=next(iter(selection.entities), None), subject=selection.subject
    )
    return replace(selection, entities=sorted({*selection.entities, *keys}))


def _is_in_scope(conversation: PersonConversation, target: ErasureTarget) -> bool:
    """Whether the conversation as a whole is in scope: every one, those of the profile, or none."""
    match target.selection:
        case Everything():
            return True
        case ByProfile(profile_id):
            return conversation.profile_id == profile_id
        case _:
            return False
