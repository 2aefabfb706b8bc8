"""For whom the agent tool acts, what its document is made of, and the person's places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.domain.agent.document import Fact, Place
from keepsake.domain.memory import MemoryType, Source, Subtype
from keepsake.infra import queries
from keepsake.infra.db import Connection

_SQL = queries.load("agents")
_MOST_PAST = 200


@dataclass(frozen=True, slots=True)
class Alone:
    """A person outside any conversation: their primary profile, and what they allow."""

    profile_id: UUID
    building: bool
    enabled: bool
    allowed_types: frozenset[MemoryType]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """A fact of the document, with what decides who may read it and when it last changed."""

    fact: Fact
    type: MemoryType
    subtype: Subtype
    changed_at: datetime


async def alone(conn: Connection, *, user_id: UUID) -> Alone | None:
    """The person's primary profile; None where they have none."""
    row = await _one(conn, "acting_alone", {"user_id": user_id})
    if row is None:
        return None
    allowed = row["allowed_types"]
    types = frozenset(MemoryType if allowed is None else map(MemoryType, allowed))
    names = tuple(name for name in (row["name"], row["nickname"]) if name)
    return Alone(row["profile_id"], row["building"], row["enabled"], types, names)


async def hold_erasures(conn: Connection, *, user_id: UUID) -> None:
    """Wait for an erasure of the person's, and let none begin until this transaction ends."""
    await conn.execute(_SQL["hold_erasures"].sql, {"user_id": user_id})


async def takes_part(conn: Connection, *, conversation_id: UUID, user_id: UUID) -> bool:
    """Whether the person whose transaction this is takes part in the conversation."""
    return await _one(conn, "takes_part", {"conversation_id": conversation_id, "user_id": user_id}) is not None


async def facts(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None,
    types: Collection[MemoryType],
    now: datetime,
) -> list[Known]:
    """What is current for a persona, and the newest of what no longer holds."""
    given = {
        "user_id": user_id,
        "profile_id": profile_id,
        "persona_id": persona_id,
        "types": [kind.value for kind in types],
        "now": now,
        "most_past": _MOST_PAST,
    }
    return [_known(row) for row in await (await conn.execute(_SQL["facts"].sql, given)).fetchall()]


async def archive_evicted(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], now: datetime) -> list[UUID]:
    """Archive those the agent had added and nobody pinned; which they were."""
    given = {"user_id": user_id, "ids": list(ids), "now": now}
    return [row["id"] for row in await (await conn.execute(_SQL["archive_evicted"].sql, given)).fetchall()]


async def hold(conn: Connection, *, user_id: UUID, ids: Sequence[UUID]) -> None:
    """Let nobody pin, confirm or change these until this transaction ends."""
    await conn.execute(_SQL["hold_memories"].sql, {"user_id": user_id, "ids": list(ids)})


async def deactivate(conn: Connection, *, user_id: UUID, id: UUID, now: datetime) -> bool:
    """Archive one memory; False where it is not active any more."""
    return await _one(conn, "deactivate", {"user_id": user_id, "id": id, "now": now}) is not None


async def memory_by_ref(conn: Connection, *, user_id: UUID, id: UUID | None, number: int | None) -> UUID | None:
    """The id of a memory of the person that is not forgotten, by its id or by its running number."""
    row = await _one(conn, "memory_by_ref", {"user_id": user_id, "id": id, "number": number})
    return row["id"] if row else None


async def keep_place(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    place_id: str,
    name: str,
    notes: str | None,
    source: Source,
    now: datetime,
) -> tuple[UUID, bool]:
    """Add a place or update a known one; its row, and whether it is new."""
    given = {
        "user_id": user_id,
        "profile_id": profile_id,
        "place_id": place_id,
        "name": name,
        "notes": notes,
        "source": source.value,
        "now": now,
    }
    row = await _one(conn, "keep_place", given)
    if row is None:
        raise LookupError("an insert returned no row")
    return row["id"], row["added"]


async def note_mention(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    place: UUID,
    conversation_id: UUID,
    message_id: UUID | None,
    now: datetime,
) -> None:
    """Note that the person spoke of a place in a turn."""
    given = {
        "user_id": user_id,
        "profile_id": profile_id,
        "place": place,
        "conversation_id": conversation_id,
        "message_id": message_id,
        "now": now,
    }
    await conn.execute(_SQL["note_mention"].sql, given)


async def places_of_interest(conn: Connection, *, user_id: UUID, profile_id: UUID, most: int) -> list[str]:
    """The places spoken of most, each in a line: what it is called, what is noted, and in how many conversations."""
    given = {"user_id": user_id, "profile_id": profile_id, "most": most}
    rows = await (await conn.execute(_SQL["places_of_interest"].sql, given)).fetchall()
    return [_line(row["name"], row["notes"], row["conversations"]) for row in rows]


async def places(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[tuple[Place, datetime]]:
    """The places of a profile, oldest first, each with when it last changed."""
    given = {"user_id": user_id, "profile_id": profile_id}
    return [_place(row) for row in await (await conn.execute(_SQL["places"].sql, given)).fetchall()]


def _line(name: str, notes: str | None, conversations: int) -> str:
    called = f"{name}: {notes}" if notes else name
    if not conversations:
        return called
    return f"{called} (mentioned in {conversations} conversation{'s' if conversations > 1 else ''})"


def _known(row: dict[str, Any]) -> Known:
    fact = Fact(
        id=row["id"],
        content=row["memory_text"],
        added_at=row["created_at"],
        is_active=row["current"],
        pinned=row["pinned"],
        source_conversation_id=row["conversation_id"],
        source_message_id=row["source_message_id"],
    )
    return Known(fact, MemoryType(row["memory_type"]), Subtype(row["subtype"]), row["updated_at"])


def _place(row: dict[str, Any]) -> tuple[Place, datetime]:
    mentioned: dict[UUID, list[tuple[UUID | None, datetime]]] = defaultdict(list)
    for conversation, message, at in row["mentions"]:
        mentioned[UUID(conversation)].append((UUID(message) if message else None, datetime.fromisoformat(at)))
    return Place(row["place_id"], row["name"], row["notes"], row["created_at"], dict(mentioned)), row["updated_at"]


async def _one(conn: Connection, query: str, given: dict[str, Any]) -> dict[str, Any] | None:
    return await (await conn.execute(_SQL[query].sql, given)).fetchone()
