"""Memories as extraction reads and writes them: under one lock a profile, every change with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import args_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import Candidate, Memory, MemoryType, Source, Status, Subtype
from keepsake.domain.merging.decisions import Reinforce
from keepsake.domain.merging.scope import MergeScope
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import Operation
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


async def active(conn: Connection, *, user_id: UUID, profile_id: UUID, persona_id: str | None = None) -> list[Memory]:
    """Every active memory of a profile that is for all personas, or for this one alone; oldest first."""
    return await _SQL["active_memories"].all(
        conn, args_row(memory_from), user_id=user_id, profile_id=profile_id, persona_id=persona_id
    )


async def relevant(
    conn: Connection,
    within: MergeScope,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None = None,
    every_persona: bool = False,
) -> list[Memory]:
    """Of the active memories for these ears (or all), what merging may touch, and little else; oldest first.

    One that is folded into another is archived, and comes too: its fold has to be opened before merging.
    """
    return await _SQL["relevant_memories"].all(
        conn,
        args_row(memory_from),
        user_id=user_id,
        profile_id=profile_id,
        persona_id=persona_id,
        every_persona=every_persona,
        prefixes=list(within.prefixes),
        texts=list(within.texts),
        languages=list(within.languages),
        keyed=list(within.keyed),
    )


async def recent(conn: Connection, turn: Turn) -> list[Memory]:
    """What the turn's author was remembered for in this conversation before, newest first."""
    return await _SQL["recent_memories"].all(
        conn,
        args_row(memory_from),
        user_id=turn.facts.author,
        profile_id=turn.facts.profile_id,
        conversation_id=turn.conversation_id,
        until=turn.facts.said_at,
        limit=_RECENT,
    )


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
    return await _SQL["insert_memory"].single(conn, args_row(_stored), **given)


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
    return await _SQL["reinforce_memory"].one(conn, args_row(_stored), **given)


async def close(conn: Connection, turn: Turn, id: UUID, *, within: Operation, now: datetime) -> None:
    """Mark a memory as superseded from the moment the turn was said."""
    given = {**within.named, "user_id": turn.facts.author, "id": id, "said_at": turn.facts.said_at, "now": now}
    await _SQL["supersede_memory"].execute(conn, **given)


async def archive_over_cap(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    cap: int,
    operation: Operation,
    now: datetime,
    source: Source = Source.USER,
) -> int:
    """Archive the oldest unpinned memories beyond the cap, for an agent only what agents added; how many."""
    given = {**operation.named, "user_id": user_id, "profile_id": profile_id, "cap": cap, "now": now}
    agent_alone = source is Source.AGENT_TOOL
    return len(await _SQL["archive_over_cap"].values(conn, **given, agent_alone=agent_alone))


COLUMNS = len(queries.fragment("memory_columns"))
"""How many columns make a memory."""


def memory_from(*columns: Any) -> Memory:
    """The memory of ``{memory_columns}``: up to a thousand are read at a time, so no name is looked up."""
    row_id, number, kind, subtype, text, confidence, importance, pinned, source, status, *more = columns
    count, created, valid, key, value, refs, *rest = more
    return Memory(
        row_id, number, _TYPES[kind], _SUBTYPES[subtype], text, float(confidence), importance, pinned, _SOURCES[source],
        _STATUSES[status], count, created, valid, key, value, tuple(refs), *rest,
    )  # fmt: skip


def _stored(id: UUID, number: int, kind: str, text: str, confidence: float) -> Stored:
    return Stored(id, number, MemoryType(kind), text, float(confidence))
