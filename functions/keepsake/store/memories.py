"""Reads and writes memories for extraction and merging, every change with its reason."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import args_row, tuple_row
from psycopg.types.json import Jsonb

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Candidate, Memory, MemoryRef, MemoryType, Source, Status, Subtype
from keepsake.domain.merging.decisions import Reinforce
from keepsake.domain.merging.merge_scope import MergeScope
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import MemoryWriter, Operation

_SQL = queries.load("memories")
_RECENT = 10
_MAX_MENTIONED = 40
_MAX_COMPARED = 2_000
"""Characters of a message whose words are looked up."""
_LANGUAGE_OF_CHANGES = "en"
# A thousand memories are read at a time, and to look a word up takes a third of what calling an enumeration takes.
_TYPES = {kind.value: kind for kind in MemoryType}
_SUBTYPES = {subtype.value: subtype for subtype in Subtype}
_SOURCES = {source.value: source for source in Source}
_new_tuple = tuple.__new__  # every column has its place, so no default has to be looked up
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory after a write, with the fields that a response contains."""

    id: UUID
    memory_no: int
    type: MemoryType
    text: str
    confidence: float

    @property
    def ref(self) -> str:
        """The short name that people see, such as M-12."""
        return str(MemoryRef(self.memory_no))


async def active(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[Memory]:
    """Every active memory of a profile for all personas, oldest first."""
    return await _SQL["active_memories"].all(conn, args_row(memory_from), user_id=user_id, profile_id=profile_id)


async def by_id(conn: Connection, *, user_id: UUID, ids: Sequence[UUID], active: bool = False) -> list[Memory]:
    """These memories of a person in the order they were stored, in any state unless they must be active."""
    if not ids:
        return []
    return await _SQL["memories_by_id"].all(conn, args_row(memory_from), user_id=user_id, ids=list(ids), active=active)


async def request_relevant(
    conn: Connection,
    scope: MergeScope,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None = None,
    every_persona: bool = False,
) -> AsyncRawCursor[Memory]:
    """Ask for the active memories of this persona scope (or of all) that merging can affect, oldest first.

    Archived members of a fold are included: their fold has to be opened before merging.
    """
    return await _SQL["relevant_memories"].send(
        conn,
        args_row(memory_from),
        user_id=user_id,
        profile_id=profile_id,
        persona_id=persona_id,
        every_persona=every_persona,
        prefixes=list(scope.prefixes),
        texts=list(scope.texts),
        languages=list(scope.languages),
    )


async def request_mentioned(
    writer: MemoryWriter, *, texts: Sequence[str], prefixes: Sequence[str], ids: Sequence[UUID], persona_id: str | None
) -> AsyncRawCursor[Memory]:
    """Ask for the active memories of this persona scope that share words with texts, have such keys or these ids."""
    return await _SQL["mentioned_memories"].send(
        writer.conn,
        args_row(memory_from),
        user_id=writer.user_id,
        profile_id=writer.profile_id,
        persona_id=persona_id,
        texts=list(texts),
        language=_LANGUAGE_OF_CHANGES,
        prefixes=list(prefixes),
        ids=list(ids),
        limit=_MAX_MENTIONED,
    )


async def recent(conn: Connection, turn: TurnContext) -> list[Memory]:
    """The memories made from the author's earlier messages in this conversation, newest first."""
    return (await recent_of_each(conn, [turn]))[0]


async def recent_of_each(conn: Connection, turns: Sequence[TurnContext]) -> list[list[Memory]]:
    """The memories made from earlier messages, newest first, for each of several turns."""
    rows = await _SQL["recent_memories"].all(
        conn,
        tuple_row,
        user_ids=[turn.author for turn in turns],
        profile_ids=[turn.profile_id for turn in turns],
        conversation_ids=[turn.conversation_id for turn in turns],
        moments=[turn.said_at for turn in turns],
        limit=_RECENT,
    )
    found: list[list[Memory]] = [[] for _ in turns]
    for number, *columns in rows:
        found[number - 1].append(memory_from(*columns))
    return found


async def request_related(
    conn: Connection,
    turn: TurnContext,
    *,
    languages: Collection[str],
    now: datetime,
    limit: int,
    vector: Sequence[float] | None = None,
    vector_model: str | None = None,
) -> AsyncRawCursor[Memory]:
    """Ask for the memories that a message may be about, most related first, which may be shown in its conversation."""
    return await _SQL["related_memories"].send(
        conn,
        args_row(memory_from),
        user_id=turn.author,
        profile_id=turn.profile_id,
        persona_id=turn.persona_id,
        conversation_id=turn.conversation_id,
        message=turn.text[:_MAX_COMPARED],
        languages=list(languages),
        types=[kind.value for kind in turn.consent.allowed_types],
        now=now,
        limit=limit,
        query_vector=None if vector is None else list(map(float, vector)),
        vector_model=vector_model,
    )


async def insert(
    writer: MemoryWriter, candidate: Candidate, *, reason: str, supersedes_id: UUID | None, expires_at: datetime | None
) -> AsyncRawCursor[StoredMemory]:
    """Store a candidate as a memory."""
    origin = writer.origin
    params = {
        **writer.change(reason, candidate.why),
        "profile_id": writer.profile_id,
        "conversation_id": origin.conversation_id,
        "message_id": origin.message_id,
        "turn_index": origin.turn_index,
        "mode": origin.mode,
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
        "period": candidate.period,
        "quote": candidate.quote,
        "source": writer.source.value,
        "supersedes_id": supersedes_id,
        "expires_at": expires_at,
        "astrological_context": Jsonb({"transits": list(candidate.transits)}) if candidate.transits else None,
    }
    return await _SQL["insert_memory"].send(writer.conn, args_row(_stored), **params)


async def reinforce(
    writer: MemoryWriter, decision: Reinforce, *, reason: str, expires_at: datetime | None
) -> AsyncRawCursor[StoredMemory]:
    """Reinforce a memory, and make an agent's memory the person's own; no row where it is not active any more."""
    params = {
        **writer.change(reason, decision.candidate.why),
        "id": decision.memory_id,
        "reference_count": decision.reference_count,
        "importance": decision.importance,
        "confidence": decision.confidence,
        "is_later": decision.is_later,
        "source": writer.source.value,
        "expires_at": expires_at,
        "period": decision.candidate.period,
    }
    return await _SQL["reinforce_memory"].send(writer.conn, args_row(_stored), **params)


async def supersede(writer: MemoryWriter, id: UUID, *, reason: str, why: str) -> AsyncRawCursor[StoredMemory]:
    """Mark a memory as superseded from the time of the new statement; no row where it is not active any more."""
    return await _SQL["supersede_memory"].send(writer.conn, args_row(_stored), **writer.change(reason, why), id=id)


async def expire(writer: MemoryWriter, id: UUID, *, reason: str) -> None:
    """Mark a memory whose time is over as expired, so that its key is free for what is said now."""
    await _SQL["expire_memory"].execute(writer.conn, **writer.change(reason, ""), id=id)


async def doubt(writer: MemoryWriter, id: UUID, *, reason: str, why: str) -> AsyncRawCursor[StoredMemory]:
    """Mark a memory as doubted from the time of the statement; no row where it is not active any more."""
    return await _SQL["doubt_memory"].send(writer.conn, args_row(_stored), **writer.change(reason, why), id=id)


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
    """Archive the oldest unpinned memories over the cap, for an agent only agent memories; returns how many."""
    params = {**operation.named, "user_id": user_id, "profile_id": profile_id, "cap": cap, "now": now}
    is_agent = source is Source.AGENT_TOOL
    return len(await _SQL["archive_over_cap"].values(conn, **params, agent_alone=is_agent))


COLUMNS = len(queries.fragment("memory_columns"))
"""The number of columns of a memory."""


def memory_from(*columns: Any) -> Memory:
    """The memory of ``{memory_columns}``: up to a thousand are read at a time, so no name is looked up."""
    row_id, number, kind, subtype, text, confidence, importance, pinned, source, status, *more = columns
    count, created, valid, key, value, refs, *rest = more
    return _new_tuple(Memory, (
        row_id, number, _TYPES[kind], _SUBTYPES[subtype], text, float(confidence), importance, pinned, _SOURCES[source],
        _STATUSES[status], count, created, valid, key, value, tuple(refs), *rest,
    ))  # fmt: skip


def _stored(id: UUID, number: int, kind: str, text: str, confidence: float) -> StoredMemory:
    return StoredMemory(id, number, MemoryType(kind), text, float(confidence))
