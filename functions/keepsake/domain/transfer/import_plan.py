"""Decides what becomes of each good row of an import: written, written as archived, or there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from keepsake.domain.transfer.validate_row import Judged


class Fate(StrEnum):
    """What becomes of a row."""

    WRITE = "write"
    KNOWN = "known"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Found:
    """What the database says of a row before it is written."""

    plain_text: str
    own_id: str | None
    """The status of the memory that has this id and is the person's."""
    alike: str | None
    """The status of a memory that says the same."""
    id_taken: bool
    number_taken: bool
    slot_taken: bool
    conversation_known: bool
    message_known: bool
    supersedes_known: bool
    folded_known: bool
    entity_refs: list[str]
    """What the row refers to, with other names of an entity resolved."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with what becomes of it, and what to write where it is to be written."""

    judged: Judged
    fate: Fate
    row: dict[str, Any]
    archived: bool = False
    now: str | None = None
    """The status of what was there already."""


@dataclass(slots=True)
class Room:
    """What is left of each profile's room for active memories."""

    cap: int
    active: dict[str, int] = field(default_factory=dict)

    def take(self, profile: str) -> bool:
        """Whether one more fits; then it counts."""
        if self.active.get(profile, 0) >= self.cap:
            return False
        self.active[profile] = self.active.get(profile, 0) + 1
        return True


def place(
    batch: Sequence[Judged], found: Sequence[Found], room: Room, *, now: str, ids: Sequence[UUID]
) -> list[Placed]:
    """What becomes of each row of a batch, in order, so that later rows see earlier ones; `ids` serve new ones."""
    placed: list[Placed] = []
    said: set[tuple[Any, ...]] = set()
    slots: set[tuple[Any, ...]] = set()
    seen: set[str] = set()
    for judged, facts, fresh in zip(batch, found, ids, strict=True):
        row = dict(judged.row or {})
        words = (row["profile_id"], row["persona_id"], facts.plain_text)
        slot = (row["profile_id"], row["persona_id"], row["memory_key"])
        fills = row["status"] == "active" and row["memory_key"] is not None
        known = facts.own_id or facts.alike or ("active" if not judged.signed and words in said else None)
        if known or (judged.signed and row["id"] in seen):
            placed.append(Placed(judged, Fate.KNOWN, row, now=known))
            continue
        if fills and (facts.slot_taken or slot in slots):
            placed.append(Placed(judged, Fate.TAKEN, row))
            continue
        seen.add(str(row["id"]))
        said.add(words)
        slots |= {slot} if fills else set()
        placed.append(_written(judged, facts, row, room, now=now, fresh=fresh))
    return placed


def _written(judged: Judged, facts: Found, row: dict[str, Any], room: Room, *, now: str, fresh: UUID) -> Placed:
    """The row with an id of its own, without what it points at in vain, and archived where the profile is full."""
    if row["id"] is None or facts.id_taken:
        row["id"] = str(fresh)
    row["entity_refs"] = facts.entity_refs
    if facts.number_taken:
        row["memory_no"] = None
    if not facts.conversation_known:
        row["conversation_id"] = None
    if not facts.message_known:
        row["source_message_id"] = None
    archived = row["status"] == "active" and not room.take(row["profile_id"])
    if archived:
        row |= {"status": "archived", "archived_at": now}
    return Placed(judged, Fate.WRITE, row, archived=archived)
