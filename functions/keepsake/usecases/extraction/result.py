"""The result of an extraction as callers get it, the same for the first call and for repeated ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.infra.database import Connection
from keepsake.store import extractions
from keepsake.store.memories import StoredMemory
from keepsake.store.row_keys import TurnKey


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """A memory of this turn in a response."""

    id: UUID
    ref: str
    type: str
    text: str
    confidence: float
    action: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of the extraction of a turn."""

    status: Literal["extracted", "skipped", "duplicate", "queued"]
    reason: str | None = None
    extraction_id: UUID | None = None
    generator: str | None = None
    memories: tuple[ExtractedMemory, ...] = ()


async def existing_result(conn: Connection, key: TurnKey) -> Extraction:
    """The recorded result of a turn, or that another worker has claimed it."""
    found = await extractions.find_result(conn, **key.params)
    if found is None:
        raise NotFound("There is no such message.")
    if found.status in {"claimed", "pending"}:
        return Extraction("queued", "in_progress", found.id)
    extracted = tuple(extracted_memory(memory, action) for memory, action in found.memories)
    return Extraction("duplicate", found.reason, found.id, found.generator, extracted)


def extracted_memory(memory: StoredMemory, action: str) -> ExtractedMemory:
    """A stored memory as the response contains it."""
    return ExtractedMemory(memory.id, memory.ref, memory.type.value, memory.text, memory.confidence, action)
