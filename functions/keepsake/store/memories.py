"""Memories as extraction reads and writes them: under one lock a profile, every change with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import Candidate, Memory, MemoryType, Source, Status, Subtype
from keepsake.domain.merging.decisions import Reinforce
from keepsake.domain.merging.scope import Reach
from keepsake.infra import queries
from keepsake.infra.db import Connection
from keepsake.store.turns import Turn

_SQL = queries.load("memories")
_RECENT = 10
# A thousand memories are read at a time, and to look a word up takes a third of what calling an enumeration takes.
_TYPES = {kind.value: kind for kind in MemoryType}
_SUBTYPES = {subtype.value: subtype for subtype in Subtype}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory as it stands after a write, as much as an answer tells of it."""

    id: UUID
    memory_no: int
    type: MemoryType
    text: str
    confidence: float

    @property
    def ref(self) -> str:
        """The short name people see."""
        return f"M-{self.memory_no}"


@dataclass(frozen=True, slots=True)
class Operation:
    """What a write belongs to, who does it and why: written down with every change, and undone as one."""

    id: UUID
    actor: str
    reason: str

    @property
    def named(self) -> dict[str, str]:
        """As statements take it."""
        return {"operation_id": str(self.id), "actor": self.actor, "reason": self.reason}


async def lock_profile(conn: Connection, *, user_id: UUID, profile_id: UUID) -> None:
    """Wait until nobody else merges into this profile; held until this transaction ends."""
    await conn.execute(_SQL["lock_profile"].sql, {"user_id": user_id, "profile_id": profile_id})


async def hold(conn: Connection, *, user_id: UUID | None, ids: Sequence[UUID]) -> None:
    """Lock the memories that are about to change, in the order everybody locks them in; one alone has none."""
    if len(ids) > 1:
        await conn.execute(_SQL["hold_memories"].sql, {"user_id": user_id, "ids": list(ids)})


async def begin_operation(conn: Connection, *, operation_id: UUID, actor: str, reason: str) -> None:
    """Name the operation and the reason that the next changes are recorded under."""
    await conn.execute(_SQL["begin_operation"].sql, Operation(operation_id, actor, reason).named)


async def active(conn: Connection, *, user_id: UUID, profile_id: UUID, persona_id: str | None = None) -> list[Memory]:
    """Every active memory of a profile that is for all personas, or for this one alone; oldest first."""
    given = {"user_id": user_id, "profile_id": profile_id, "persona_id": persona_id}
    async with conn.cursor(row_factory=tuple_row) as cursor:
        rows = await (await cursor.execute(_SQL["active_memories"].sql, given)).fetchall()
    return [memory_from(row) for row in rows]


async def relevant(
    conn: Connection,
    within: Reach,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None = None,
    every_persona: bool = False,
) -> list[Memory]:
    """Of the active memories for these ears (or all), what merging may touch, and little else; oldest first.

    One that is folded into another is archived, and comes too: its fold has to be opened before merging.
    """
    given = {
        "user_id": user_id,
        "profile_id": profile_id,
        "persona_id": persona_id,
        "every_persona": every_persona,
        "prefixes": list(within.prefixes),
        "texts": list(within.texts),
        "languages": list(within.languages),
        "keyed": list(within.keyed),
    }
    async with conn.cursor(row_factory=tuple_row) as cursor:
        rows = await (await cursor.execute(_SQL["relevant_memories"].sql, given)).fetchall()
    return [memory_from(row) for row in rows]


async def recent(conn: Connection, turn: Turn) -> list[Memory]:
    """What the turn's author was remembered for in this conversation before, newest first."""
    given = {
        "user_id": turn.facts.author,
        "profile_id": turn.facts.profile_id,
        "conversation_id": turn.conversation_id,
        "until": turn.facts.said_at,
        "limit": _RECENT,
    }
    rows = await (await conn.execute(_SQL["recent_memories"].sql, given)).fetchall()
    return [memory_of(row) for row in rows]


async def insert(
    conn: Connection,
    turn: Turn,
    candidate: Candidate,
    *,
    within: Operation,
    source: Source,
    supersedes_id: UUID | None,
    expires_at: datetime | None,
    now: datetime,
) -> Stored:
    """Store a candidate as a memory of the turn it was said in."""
    given = {
        **within.named,
        "user_id": turn.facts.author,
        "profile_id": turn.facts.profile_id,
        "conversation_id": turn.conversation_id,
        "message_id": turn.message_id,
        "turn_index": turn.turn_index,
        "mode": turn.facts.mode,
        "said_at": turn.facts.said_at,
        "text": candidate.text,
        "type": candidate.type.value,
        "confidence": candidate.confidence,
        "subtype": candidate.subtype.value,
        "entity_type": candidate.entity_type,
        "key": candidate.key,
        "value": candidate.value,
        "importance": candidate.importance,
        "entity_refs": list(candidate.entity_refs),
        "entity_label": candidate.entity_label,
        "language": candidate.language,
        "persona_id": candidate.persona_id,
        "quote": candidate.quote,
        "source": source.value,
        "supersedes_id": supersedes_id,
        "expires_at": expires_at,
        "astrological_context": Jsonb({"transits": list(candidate.transits)}) if candidate.transits else None,
        "now": now,
    }
    row = await (await conn.execute(_SQL["insert_memory"].sql, given)).fetchone()
    if row is None:
        raise LookupError("an insert returned no row")
    return _stored(row)


async def reinforce(
    conn: Connection,
    turn: Turn,
    decision: Reinforce,
    *,
    within: Operation,
    source: Source,
    expires_at: datetime | None,
    now: datetime,
) -> Stored | None:
    """Raise what a memory counts for, and make an agent's the person's own; None where it is no longer active."""
    given = {
        **within.named,
        "user_id": turn.facts.author,
        "id": decision.memory_id,
        "reference_count": decision.reference_count,
        "importance": decision.importance,
        "confidence": decision.confidence,
        "refresh": decision.refresh,
        "source": source.value,
        "said_at": turn.facts.said_at,
        "expires_at": expires_at,
        "now": now,
    }
    row = await (await conn.execute(_SQL["reinforce_memory"].sql, given)).fetchone()
    return _stored(row) if row else None


async def close(conn: Connection, turn: Turn, id: UUID, *, within: Operation, now: datetime) -> None:
    """Mark a memory as superseded from the moment the turn was said."""
    given = {**within.named, "user_id": turn.facts.author, "id": id, "said_at": turn.facts.said_at, "now": now}
    await conn.execute(_SQL["close_memory"].sql, given)


async def archive_over_cap(
    conn: Connection, *, user_id: UUID, profile_id: UUID, cap: int, now: datetime, source: Source = Source.USER
) -> int:
    """Archive the oldest unpinned memories beyond the cap, for an agent only what agents added; how many."""
    agent_alone = source is Source.AGENT_TOOL
    given = {"user_id": user_id, "profile_id": profile_id, "cap": cap, "now": now, "agent_alone": agent_alone}
    return len(await (await conn.execute(_SQL["archive_over_cap"].sql, given)).fetchall())


def memory_of(row: Mapping[str, Any]) -> Memory:
    """The memory in a row that carries its columns."""
    return memory_from([row[name] for name in _NAMES])


_NAMES = (
    "id", "memory_no", "memory_type", "subtype", "memory_text", "confidence_score", "importance", "pinned", "source",
    "status", "reference_count", "created_at", "valid_from", "memory_key", "value", "entity_refs", "entity_label",
    "language", "expires_at", "last_referenced_at", "conversation_id", "persona_id",
)  # fmt: skip
"""What a memory is made of, in the order in which ``active_memories`` and ``select_candidates`` give it."""
COLUMNS = len(_NAMES)
"""How many columns make a memory."""


def memory_from(columns: Sequence[Any]) -> Memory:
    """The memory of these columns, in their order: up to a thousand are read at a time, so no name is looked up."""
    row_id, number, kind, subtype, text, confidence, importance, pinned, source, status, *more = columns
    count, created, valid, key, value, refs, *rest = more
    return Memory(
        row_id, number, _TYPES[kind], _SUBTYPES[subtype], text, float(confidence), importance, pinned, _SOURCES[source],
        _STATUSES[status], count, created, valid, key, value, tuple(refs), *rest,
    )  # fmt: skip


def _stored(row: Mapping[str, Any]) -> Stored:
    return Stored(
        id=row["id"],
        memory_no=row["memory_no"],
        type=MemoryType(row["memory_type"]),
        text=row["memory_text"],
        confidence=float(row["confidence_score"]),
    )
