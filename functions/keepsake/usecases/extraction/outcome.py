"""What a caller is told of a turn: what became of it, and the memories it made, the second time as the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.infra.database import Connection
from keepsake.store import extractions
from keepsake.usecases.extraction.apply_decisions import Made


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
    row = await extractions.outcome(conn, **ids)
    if row is None:
        raise NotFound("There is no such message.")
    if row["status"] in {"claimed", "pending"}:
        return Extraction("queued", "in_progress", row["id"])
    made = tuple(_told_again(**memory) for memory in row["memories"])
    return Extraction("duplicate", row["reason"], row["id"], row["generator"], made)


def remembered(made: Made) -> Remembered:
    """A memory that was just made, as an answer tells it."""
    memory = made.memory
    return Remembered(memory.id, memory.ref, memory.type.value, memory.text, memory.confidence, made.action)


def _told_again(**memory: Any) -> Remembered:
    return Remembered(
        id=UUID(memory["id"]),
        ref=f"M-{memory['memory_no']}",
        type=memory["type"],
        text=memory["text"],
        confidence=float(memory["confidence"]),
        action=memory["action"],
    )
