"""Writes the staged rows of an import, batch by batch, in one transaction and one operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from keepsake.domain.transfer.import_plan import Capacity, RowAction, RowMatch, RowPlan, plan_rows
from keepsake.domain.transfer.validate_row import ValidatedRow
from keepsake.infra.database import Connection
from keepsake.store import imports
from keepsake.usecases.transfer.report import Tally

Row = dict[str, Any]


@dataclass(slots=True)
class Writer:
    """The writer of one transaction: the operation has begun, and the profiles are locked."""

    conn: Connection
    user_id: UUID
    operation_id: UUID
    capacity: Capacity
    tally: Tally
    now: str
    _links: list[dict[str, str | None]] = field(default_factory=list)
    _entities: dict[str, set[str]] = field(default_factory=dict)

    async def restore(self, section: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows of a section beside the memories."""
        if section == "entities":
            for row in rows:
                self._entities.setdefault(row["profile_id"], set()).add(row["key"])
        self.tally.also_restored[section] += await imports.restore(self.conn, section, user_id=self.user_id, rows=rows)

    async def write(self, batch: Sequence[ValidatedRow]) -> None:
        """Plan a batch of memories, insert the new ones, and count all."""
        matches = await imports.match_rows(self.conn, user_id=self.user_id, operation_id=self.operation_id, batch=batch)
        plans = plan_rows(batch, matches, self.capacity, now=self.now, ids=[uuid4() for _ in batch])
        rows, links = _split_links(plans, matches)
        self._links += links
        written: frozenset[str] = frozenset()
        if rows:
            numbered = await self._number(rows)
            written = await imports.insert_rows(self.conn, user_id=self.user_id, rows=numbered)
        for plan in plans:
            self.tally.count(plan, written=plan.row["id"] in written)

    async def finish(self) -> None:
        """Set the deferred references; delete restored entities that no memory refers to."""
        if self._links:
            await imports.link_deferred(self.conn, user_id=self.user_id, links=self._links)
        for profile_id, keys in sorted(self._entities.items()):
            await imports.delete_unreferenced_entities(
                self.conn, user_id=self.user_id, profile_id=profile_id, keys=sorted(keys)
            )

    async def _number(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with memory numbers: new rows get numbers after the highest in the file."""
        new = sum(row["memory_no"] is None for row in rows)
        if not new and not self.tally.highest_number:
            return list(rows)
        last = await imports.reserve_numbers(
            self.conn, user_id=self.user_id, count=new, minimum=self.tally.highest_number
        )
        numbers = iter(range(last - new + 1, last + 1))
        return [row if row["memory_no"] is not None else row | {"memory_no": next(numbers)} for row in rows]


def _split_links(
    plans: Sequence[RowPlan], matches: Sequence[RowMatch]
) -> tuple[list[Row], list[dict[str, str | None]]]:
    """The rows to insert, and the references to set later: those to rows that neither exist nor are in the batch."""
    inserted = {plan.row["id"] for plan in plans if plan.action is RowAction.WRITE}
    rows: list[Row] = []
    links: list[dict[str, str | None]] = []
    for plan, match in zip(plans, matches, strict=True):
        if plan.action is not RowAction.WRITE:
            continue
        known = {"supersedes_id": match.supersedes_known, "folded_into": match.folded_known}
        deferred = {
            name: plan.row[name] for name in known if not known[name] and plan.row[name] not in {None, *inserted}
        }
        if deferred:
            links.append({"id": plan.row["id"], "supersedes_id": None, "folded_into": None, **deferred})
        rows.append(plan.row | dict.fromkeys(deferred))
    return rows, links
