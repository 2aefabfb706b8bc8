"""Finds what an erasure is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row, dict_row, tuple_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("erasure_scope")


@dataclass(frozen=True, slots=True)
class Target:
    """What is to go, named in exactly one way; a subject is words, or the keys of ``entities``, or both."""

    user_id: UUID
    now: datetime
    everything: bool = False
    ids: Sequence[UUID] = ()
    profile_id: UUID | None = None
    entities: Sequence[str] = ()
    subject: str | None = None
    include_messages: bool = False

    @property
    def partial(self) -> bool:
        """Whether only some memories of a profile are meant."""
        return not self.everything and self.profile_id is None


@dataclass(frozen=True, slots=True)
class Meant:
    """A memory that goes."""

    id: UUID
    memory_no: int
    text: str
    status: str
    message_id: UUID | None
    conversation_id: UUID | None


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of the person: whether they wrote in it, and whether it is theirs with nobody else in it."""

    id: UUID
    wrote: bool
    alone: bool
    profile_id: UUID | None


async def visible(conn: Connection, *, ids: Sequence[UUID], numbers: Sequence[int]) -> list[UUID]:
    """Those of the memories that the person whose transaction this is can see."""
    return await _SQL["visible_memories"].values(conn, ids=list(ids), numbers=list(numbers))


async def take_time(conn: Connection) -> None:
    """Let statements of this transaction take longer than other work may."""
    await _SQL["raise_statement_timeout"].execute(conn)


async def forbid_before(conn: Connection, *, user_id: UUID, now: datetime) -> datetime:
    """Let nothing be read again that was said before this moment; which moment that is."""
    moment: datetime | None = await _SQL["set_erased_before"].value(conn, user_id=user_id, now=now)
    if moment is None:
        (moment,) = await _SQL["insert_erased_before"].single(conn, tuple_row, user_id=user_id, now=now)
    return moment


async def start_anew(conn: Connection, *, user_id: UUID, profile_id: UUID, now: datetime) -> None:
    """Let memory of a profile start now wherever it is chosen."""
    await _SQL["restart_consent"].execute(conn, user_id=user_id, profile_id=profile_id, now=now)


async def open_folds(conn: Connection, target: Target) -> None:
    """Let what was folded with others stand by itself again, where only a part of a fold may be meant."""
    named = {"ids": list(target.ids), "entities": list(target.entities), "subject": target.subject}
    await _SQL["open_folds"].execute(conn, user_id=target.user_id, **named)


async def meant(conn: Connection, target: Target) -> list[Meant]:
    """The memories a target means, with those they replaced."""
    return await _SQL["target_memories"].all(
        conn,
        class_row(Meant),
        user_id=target.user_id,
        everything=target.everything,
        ids=list(target.ids),
        profile_id=target.profile_id,
        entities=list(target.entities),
        subject=target.subject,
    )


async def entities_named(conn: Connection, *, user_id: UUID, entity: str | None, subject: str | None) -> list[str]:
    """The keys of the entities a subject names, by key or by one of their names."""
    return await _SQL["matching_entities"].values(conn, user_id=user_id, entity=entity, subject=subject)


async def others_meant(conn: Connection, target: Target, *, memory_ids: Sequence[UUID]) -> list[UUID]:
    """The rows of other tables that go with the memories: entities, what was proposed of them, and places."""
    return await _SQL["dependent_rows"].values(
        conn,
        user_id=target.user_id,
        memory_ids=list(memory_ids),
        profile_id=target.profile_id,
        entities=list(target.entities),
        subject=target.subject,
    )


async def newer(conn: Connection, *, user_id: UUID, memory_ids: Sequence[UUID]) -> list[int]:
    """The numbers of the memories that replaced what goes, and stay."""
    return await _SQL["successors"].values(conn, user_id=user_id, memory_ids=list(memory_ids))


async def recorded(conn: Connection, target: Target, *, row_ids: Sequence[UUID]) -> list[int]:
    """The changes of other rows that tell of what is meant."""
    return await _SQL["matching_changes"].values(
        conn,
        user_id=target.user_id,
        row_ids=list(row_ids),
        profile_id=target.profile_id,
        entities=list(target.entities),
        subject=target.subject,
    )


async def said_in(
    conn: Connection,
    target: Target,
    *,
    memory_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    conversation_ids: Sequence[UUID],
) -> dict[UUID, UUID]:
    """The messages the memories rest on, each with its chat; with messages to go, those of these chats as well."""
    rows = await _SQL["source_messages"].all(
        conn,
        dict_row,
        user_id=target.user_id,
        memory_ids=list(memory_ids),
        message_ids=list(message_ids),
        conversation_ids=list(conversation_ids),
        subject=target.subject,
        include_messages=target.include_messages,
    )
    return {row["id"]: row["conversation_id"] for row in rows}


async def says_it_too(
    conn: Connection, target: Target, *, memory_ids: Sequence[UUID], held: Sequence[UUID], since: datetime
) -> list[UUID]:
    """Turns still to be read in which the same is said."""
    return await _SQL["pending_turns_mentioning"].values(
        conn,
        user_id=target.user_id,
        memory_ids=list(memory_ids),
        held=list(held),
        since=since,
        subject=target.subject,
    )


async def not_looked_at(conn: Connection, *, user_id: UUID, since: datetime) -> list[UUID]:
    """Messages whose own clock says they were said from this moment on, and that nobody has noted."""
    return await _SQL["unprocessed_messages"].values(conn, user_id=user_id, since=since)


async def end_turns(conn: Connection, *, user_id: UUID, message_ids: Sequence[UUID], now: datetime) -> None:
    """Let nobody look at these turns any more."""
    await _SQL["end_turns"].execute(conn, user_id=user_id, message_ids=list(message_ids), now=now)


async def begin_again(conn: Connection, *, user_id: UUID, held: Sequence[UUID], now: datetime) -> None:
    """Have the turns somebody is at read again from the start."""
    await _SQL["requeue_turns"].execute(conn, user_id=user_id, held=list(held), now=now)


async def chats(conn: Connection, user_id: UUID) -> list[Chat]:
    """The chats the person owns or takes part in."""
    return await _SQL["conversations"].all(conn, class_row(Chat), user_id=user_id)
