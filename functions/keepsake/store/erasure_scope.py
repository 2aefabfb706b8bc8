"""Finds the rows of an erasure: the memories of its target, and everything that depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("erasure_scope")


@dataclass(frozen=True, slots=True)
class ByIds:
    """These memories."""

    ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class BySubject:
    """The memories about a subject: words, the keys of entities, or both."""

    subject: str | None = None
    entities: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ByProfile:
    """The memories of a profile."""

    profile_id: UUID
    is_primary: bool


@dataclass(frozen=True, slots=True)
class Everything:
    """All memories of the person."""


@dataclass(frozen=True, slots=True)
class ErasureTarget:
    """What a person wants to erase."""

    user_id: UUID
    now: datetime
    selection: ByIds | BySubject | ByProfile | Everything
    include_messages: bool = False

    @property
    def subject(self) -> str | None:
        """The words of a subject; None for other targets."""
        return self.selection.subject if isinstance(self.selection, BySubject) else None

    @property
    def words(self) -> str | None:
        """The words by which a text mentions a subject: its own, or those of the key of its entity."""
        if not isinstance(self.selection, BySubject):
            return None
        keys = self.selection.entities
        return self.selection.subject or keys[0].partition(":")[2].replace("_", " ")

    def params(self, *names: str) -> dict[str, Any]:
        """The parameters with these names for a query: the person, and what is selected."""
        params: dict[str, Any] = {"everything": False, "ids": [], "profile_id": None, "entities": [], "subject": None}
        match self.selection:
            case ByIds(ids):
                params["ids"] = list(ids)
            case BySubject(subject, entities):
                params |= {"subject": subject, "entities": list(entities)}
            case ByProfile(profile_id):
                params["profile_id"] = profile_id
            case Everything():
                params["everything"] = True
        return {"user_id": self.user_id, **{name: params[name] for name in names}}


@dataclass(frozen=True, slots=True)
class TargetMemory:
    """A memory to erase."""

    id: UUID
    memory_no: int
    text: str
    status: str
    message_id: UUID | None
    conversation_id: UUID | None


@dataclass(frozen=True, slots=True)
class PersonConversation:
    """A conversation of the person: whether they wrote there, and whether it is theirs without other participants."""

    id: UUID
    has_written: bool
    is_alone: bool
    profile_id: UUID | None


async def visible_memories(conn: Connection, *, ids: Sequence[UUID], numbers: Sequence[int]) -> list[UUID]:
    """Those of the memories that the person of this transaction may see."""
    return await _SQL["visible_memories"].values(conn, ids=list(ids), numbers=list(numbers))


async def open_folds(conn: Connection, target: ErasureTarget) -> None:
    """Open the folds of which only some members may be targeted, so that the others stay."""
    await _SQL["open_folds"].execute(conn, **target.params("ids", "entities", "subject"))


async def target_memories(conn: Connection, target: ErasureTarget) -> list[TargetMemory]:
    """The targeted memories, with those they superseded and the members of their folds."""
    params = target.params("everything", "ids", "profile_id", "entities", "subject")
    return await _SQL["target_memories"].all(conn, class_row(TargetMemory), **params)


async def matching_entities(conn: Connection, *, user_id: UUID, entity: str | None, subject: str | None) -> list[str]:
    """The keys of the entities that a subject names, by key or by name."""
    return await _SQL["matching_entities"].values(conn, user_id=user_id, entity=entity, subject=subject)


async def dependent_rows(conn: Connection, target: ErasureTarget, *, memory_ids: Sequence[UUID]) -> list[UUID]:
    """The entities, alias proposals, places and mentions that depend on the memories."""
    params = target.params("profile_id", "entities", "subject")
    return await _SQL["dependent_rows"].values(conn, memory_ids=list(memory_ids), **params)


async def successors(conn: Connection, *, user_id: UUID, memory_ids: Sequence[UUID]) -> list[int]:
    """The numbers of the memories that superseded a targeted one and are not targeted."""
    return await _SQL["successors"].values(conn, user_id=user_id, memory_ids=list(memory_ids))


async def matching_changes(conn: Connection, target: ErasureTarget, *, row_ids: Sequence[UUID]) -> list[int]:
    """The changes in the audit log of other rows that mention the target."""
    params = target.params("profile_id", "entities", "subject")
    return await _SQL["matching_changes"].values(conn, row_ids=list(row_ids), **params)


async def source_messages(
    conn: Connection,
    target: ErasureTarget,
    *,
    memory_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    conversation_ids: Sequence[UUID],
) -> dict[UUID, UUID]:
    """The source messages of the memories with their conversations; with messages, those in the conversations too."""
    rows = await _SQL["source_messages"].all(
        conn,
        dict_row,
        memory_ids=list(memory_ids),
        message_ids=list(message_ids),
        conversation_ids=list(conversation_ids),
        include_messages=target.include_messages,
        **target.params("subject"),
    )
    return {row["id"]: row["conversation_id"] for row in rows}


async def mentioning_messages(conn: Connection, target: ErasureTarget) -> dict[UUID, UUID]:
    """The messages of the person that mention a subject, with their conversations."""
    if target.words is None:
        return {}
    rows = await _SQL["mentioning_messages"].all(conn, dict_row, user_id=target.user_id, subject=target.words)
    return {row["id"]: row["conversation_id"] for row in rows}


async def conversations(conn: Connection, user_id: UUID) -> list[PersonConversation]:
    """The conversations that the person owns or takes part in."""
    return await _SQL["conversations"].all(conn, class_row(PersonConversation), user_id=user_id)
