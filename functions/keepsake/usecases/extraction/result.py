"""What a caller is told of a turn: what became of it, and the memories it made, the second time as the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.infra.database import Connection
from keepsake.store import extractions
from keepsake.store.memories import Stored


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory of this turn as an answer tells it."""

    id: UUID
    ref: str
    type: str
    text: str
    confidence: float
    action: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of a turn."""

    status: Literal["extracted", "skipped", "duplicate", "queued"]
    reason: str | None = None
    extraction_id: UUID | None = None
    generator: str | None = None
    memories: tuple[Remembered, ...] = ()


async def settled(conn: Connection, ids: dict[str, UUID]) -> Extraction:
    """What another made of the turn, or that another is at it."""
    found = await extractions.outcome(conn, **ids)
    if found is None:
        raise NotFound("There is no such message.")
    if found.status in {"claimed", "pending"}:
        return Extraction("queued", "in_progress", found.id)
    made = tuple(remembered(memory, action) for memory, action in found.memories)
    return Extraction("duplicate", found.reason, found.id, found.generator, made)


def remembered(memory: Stored, action: str) -> Remembered:
    """A memory of a turn, as an answer tells it."""
    return Remembered(memory.id, memory.ref, memory.type.value, memory.text, memory.confidence, action)
