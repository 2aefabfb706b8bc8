"""Decides what an import does with each valid row: write it, write it as archived, or skip it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from keepsake.domain.transfer.validate_row import ValidatedRow


class RowAction(StrEnum):
    """What an import does with a row."""

    WRITE = "write"
    SKIP_DUPLICATE = "skip_duplicate"
    SKIP_KEY_TAKEN = "skip_key_taken"


@dataclass(frozen=True, slots=True)
class RowMatch:
    """What the database has for a row before it is written: duplicates, conflicts, and the rows it refers to."""

    comparable_text: str
    status_of_same_id: str | None
    """The status of the person's memory with this id."""
    status_of_same_text: str | None
    """The status of a memory with the same text."""
    id_taken: bool
    number_taken: bool
    key_taken: bool
    conversation_known: bool
    message_known: bool
    supersedes_known: bool
    folded_known: bool
    entity_refs: list[str]
    """The entities of the row, with aliases resolved."""


@dataclass(frozen=True, slots=True)
class RowPlan:
    """A row, what to do with it, and what to write."""

    validated: ValidatedRow
    action: RowAction
    row: dict[str, Any]
    archived: bool = False
    existing_status: str | None = None
    """The status of the memory that the row duplicates."""


@dataclass(slots=True)
class Capacity:
    """How many active memories each profile has, and may have."""

    limit: int
    active: dict[str, int] = field(default_factory=dict)

    def take(self, profile: str) -> bool:
        """Count one more active memory; False if the profile is full."""
        if self.active.get(profile, 0) >= self.limit:
            return False
        self.active[profile] = self.active.get(profile, 0) + 1
        return True


def plan_rows(
    batch: Sequence[ValidatedRow],
    matches: Sequence[RowMatch],
    capacity: Capacity,
    *,
    now: str,
    ids: Sequence[UUID],
) -> list[RowPlan]:
    """The plan of each row of a batch, in order; a row sees those before it, and a new row gets an id of ``ids``."""
    plans: list[RowPlan] = []
    texts: set[tuple[Any, ...]] = set()
    keys: set[tuple[Any, ...]] = set()
    planned_ids: set[str] = set()
    for validated, match, new_id in zip(batch, matches, ids, strict=True):
        row = dict(validated.row or {})
        text = (row["profile_id"], row["persona_id"], match.comparable_text, row["status"])
        key = (row["profile_id"], row["persona_id"], row["memory_key"])
        needs_key = row["status"] == "active" and row["memory_key"] is not None
        existing = match.status_of_same_id or match.status_of_same_text
        existing = existing or (row["status"] if not validated.signed and text in texts else None)
        if existing or (row["id"] is not None and row["id"] in planned_ids):
            plans.append(RowPlan(validated, RowAction.SKIP_DUPLICATE, row, existing_status=existing))
        elif needs_key and (match.key_taken or key in keys):
            plans.append(RowPlan(validated, RowAction.SKIP_KEY_TAKEN, row))
        else:
            planned_ids.add(str(row["id"]))
            texts.add(text)
            keys |= {key} if needs_key else set()
            plans.append(_plan_write(validated, match, row, capacity, now=now, new_id=new_id))
    return plans


def _plan_write(
    validated: ValidatedRow, match: RowMatch, row: dict[str, Any], capacity: Capacity, *, now: str, new_id: UUID
) -> RowPlan:
    """The row with a free id, without references to rows that do not exist, and archived where the profile is full."""
    archived = row["status"] == "active" and not capacity.take(row["profile_id"])
    changed = {
        "id": str(new_id) if row["id"] is None or match.id_taken else row["id"],
        "entity_refs": match.entity_refs,
        "memory_no": None if match.number_taken else row["memory_no"],
        "conversation_id": row["conversation_id"] if match.conversation_known else None,
        "source_message_id": row["source_message_id"] if match.message_known else None,
        **({"status": "archived", "archived_at": now} if archived else {}),
    }
    return RowPlan(validated, RowAction.WRITE, row | changed, archived=archived)
