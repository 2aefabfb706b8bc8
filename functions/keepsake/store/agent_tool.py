"""Queries of the agent tool: the person's defaults, the facts of the memory document, and places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import args_row, dict_row, kwargs_row, tuple_row

from keepsake.domain.agent.document import Fact, Place
from keepsake.domain.agent.validate_place import PlaceInput
from keepsake.domain.lifecycle.lifetimes import MAX_IMPORTANCE
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import MemoryWriter

_SQL = queries.load("agent_tool")
_MAX_PAST = 200


@dataclass(frozen=True, slots=True)
class PersonDefaults:
    """A person outside any conversation: the primary profile and the settings."""

    profile_id: UUID
    building: bool
    enabled: bool
    allowed_types: frozenset[MemoryType]
    names: tuple[str, ...] = ()
    has_unscreened_edits: bool = False
    """Whether edits of the person wait for their screening."""


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of the memory document, with its type and the time of its last change."""

    fact: Fact
    type: MemoryType
    subtype: Subtype
    changed_at: datetime


async def person_defaults(conn: Connection, *, user_id: UUID) -> PersonDefaults | None:
    """The person's defaults; None where they have no primary profile."""
    return await _SQL["person_defaults"].one(conn, args_row(_defaults), user_id=user_id)


async def takes_part(conn: Connection, *, conversation_id: UUID, user_id: UUID) -> bool:
    """Whether the person whose transaction this is participates in the conversation."""
    return await _SQL["participation"].value(conn, conversation_id=conversation_id, user_id=user_id) is not None


async def facts(writer: MemoryWriter) -> list[FactRow]:
    """The current memories of a persona, and the newest of the past ones."""
    return await _SQL["facts"].all(
        writer.conn,
        kwargs_row(_fact_row),
        **writer.profile.params,
        persona_id=writer.origin.persona_id,
        types=[kind.value for kind in writer.allowed_types],
        now=writer.now,
        max_past=_MAX_PAST,
    )


async def archive_evicted(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Archive the unpinned agent memories among these; returns their ids."""
    return await _SQL["archive_evicted"].values(conn, user_id=user_id, ids=list(ids), now=now)


async def deactivate(conn: Connection, *, user_id: UUID, id: UUID, now: datetime) -> bool:
    """Archive one memory; False where it is not active any more."""
    return await _SQL["archive_memory"].value(conn, user_id=user_id, id=id, now=now) is not None


async def memory_by_ref(conn: Connection, *, user_id: UUID, id: UUID | None, number: int | None) -> UUID | None:
    """The id of a memory of the person that is not forgotten, by its id or by its running number."""
    return await _SQL["memory_by_ref"].value(conn, user_id=user_id, id=id, number=number)


async def upsert_place(writer: MemoryWriter, place: PlaceInput) -> tuple[UUID, bool]:
    """Add or update a place; returns its row id, and whether it is new."""
    return await _SQL["upsert_place"].single(
        writer.conn,
        tuple_row,
        **writer.profile.params,
        place_id=place.place_id,
        name=place.place_name,
        notes=place.notes,
        source=writer.source.value,
        now=writer.now,
    )


async def record_mention(writer: MemoryWriter, place: UUID) -> None:
    """Record that the person mentioned a place in the writer's message; a message without conversation is none."""
    if writer.origin.conversation_id is not None:
        await _SQL["record_mention"].execute(
            writer.conn,
            **writer.profile.params,
            place=place,
            conversation_id=writer.origin.conversation_id,
            message_id=writer.origin.message_id,
            now=writer.now,
        )


async def places_of_interest(conn: Connection, *, user_id: UUID, profile_id: UUID, limit: int) -> list[str]:
    """The places that are mentioned most, one line each: name, notes and number of conversations."""
    return await _SQL["places_of_interest"].all(
        conn, kwargs_row(_place_line), user_id=user_id, profile_id=profile_id, limit=limit
    )


async def places(writer: MemoryWriter) -> list[tuple[Place, datetime]]:
    """The places of the profile, oldest first, each with when it last changed."""
    return [_place(row) for row in await _SQL["places"].all(writer.conn, dict_row, **writer.profile.params)]


def _defaults(profile_id: UUID, *columns: Any) -> PersonDefaults:
    name, nickname, building, enabled, allowed, has_unscreened_edits = columns
    types = frozenset(MemoryType if allowed is None else map(MemoryType, allowed))
    names = tuple(one for one in (name, nickname) if one)
    return PersonDefaults(profile_id, building, enabled, types, names, has_unscreened_edits)


def _place_line(name: str, notes: str | None, conversations: int) -> str:
    called = f"{name}: {notes}" if notes else name
    if not conversations:
        return called
    return f"{called} (mentioned in {conversations} conversation{'s' if conversations > 1 else ''})"


def _fact_row(**row: Any) -> FactRow:
    fact = Fact(
        id=row["id"],
        content=row["memory_text"],
        added_at=row["created_at"],
        is_active=row["current"],
        pinned=row["pinned"],
        must_not_be_missed=row["importance"] == MAX_IMPORTANCE,
        source_conversation_id=row["conversation_id"],
        source_message_id=row["source_message_id"],
    )
    return FactRow(fact, MemoryType(row["memory_type"]), Subtype(row["subtype"]), row["updated_at"])


def _place(row: dict[str, Any]) -> tuple[Place, datetime]:
    mentioned: dict[UUID, list[tuple[UUID | None, datetime]]] = defaultdict(list)
    for conversation, message, at in row["mentions"]:
        mentioned[UUID(conversation)].append((UUID(message) if message else None, datetime.fromisoformat(at)))
    return Place(row["place_id"], row["name"], row["notes"], row["created_at"], dict(mentioned)), row["updated_at"]
