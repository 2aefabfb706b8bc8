"""What an erasure would take: the memories that are meant, their history, and all that stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from keepsake.infra.database import Connection
from keepsake.store import erasure_scope
from keepsake.store.erasure import Scope
from keepsake.store.erasure_scope import Chat, Meant, Target


@dataclass(frozen=True, slots=True)
class Survey:
    """The scope of an erasure, and what to tell of it."""

    scope: Scope
    memories: tuple[Meant, ...]
    newer: tuple[int, ...]
    """What took the place of memories that go: it rests on other words, and stays."""
    chats: tuple[Chat, ...]


async def survey(conn: Connection, target: Target) -> Survey:
    """Look for everything the target means, in the transaction that will erase it or only tells."""
    user_id = target.user_id
    if target.subject or target.entities:
        target = await _with_entities(conn, target)
    memories = await erasure_scope.meant(conn, target)
    ids = [memory.id for memory in memories]
    chats = [chat for chat in await erasure_scope.chats(conn, user_id) if _concerned(chat, target)]
    if target.everything:
        said: dict[UUID, UUID] = {}
        told: Sequence[int] = ()
        others: Sequence[UUID] = ()
    else:
        said = await erasure_scope.said_in(
            conn,
            target,
            memory_ids=ids,
            message_ids=[memory.message_id for memory in memories if memory.message_id],
            conversation_ids=[chat.id for chat in chats],
        )
        others = await erasure_scope.others_meant(conn, target, memory_ids=ids)
        told = await erasure_scope.recorded(conn, target, row_ids=[*ids, *others])
    within = {memory.conversation_id for memory in memories if memory.conversation_id} | set(said.values())
    scope = Scope(
        user_id=user_id,
        now=target.now,
        everything=target.everything,
        include_messages=target.include_messages,
        memory_ids=ids,
        row_ids=others,
        message_ids=list(said),
        conversation_ids=sorted(within | {chat.id for chat in chats if chat.wrote}),
        own_conversation_ids=[chat.id for chat in chats if chat.alone],
        change_seqs=told,
    )
    newer = () if target.everything else await erasure_scope.newer(conn, user_id=user_id, memory_ids=ids)
    return Survey(scope, tuple(memories), tuple(newer), tuple(chats))


async def _with_entities(conn: Connection, target: Target) -> Target:
    """The target with the entities that its subject names, whichever of their names it says."""
    named = await erasure_scope.entities_named(
        conn, user_id=target.user_id, entity=next(iter(target.entities), None), subject=target.subject
    )
    return replace(target, entities=sorted({*target.entities, *named}))


def _concerned(chat: Chat, target: Target) -> bool:
    """Whether a chat as a whole belongs to what is erased: all of them, those of the profile, or none."""
    return target.everything or (target.profile_id is not None and chat.profile_id == target.profile_id)
