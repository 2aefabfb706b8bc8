"""Writes the good rows of an import, batch after batch in one transaction, as one operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from keepsake.domain.transfer.import_plan import Fate, Found, Placed, Room, place
from keepsake.domain.transfer.validate_row import Judged
from keepsake.infra.database import Connection
from keepsake.store import transfer
from keepsake.usecases.transfer.report import Tally


@dataclass(slots=True)
class Writer:
    """One transaction's writer; the operation has begun, and merges into the profiles are held back."""

    conn: Connection
    user_id: UUID
    operation_id: UUID
    room: Room
    tally: Tally
    now: str
    _chains: list[dict[str, str | None]] = field(default_factory=list)
    _entities: dict[str, set[str]] = field(default_factory=dict)

    async def restore(self, section: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write rows of what stands beside the memories."""
        if section == "entities":
            for row in rows:
                self._entities.setdefault(row["profile_id"], set()).add(row["key"])
        self.tally.also[section] += await transfer.restore(self.conn, section, user_id=self.user_id, rows=rows)

    async def write(self, batch: Sequence[Judged]) -> None:
        """Decide about a batch of memories, write what is to be written, and count."""
        found = await transfer.look_up(self.conn, user_id=self.user_id, operation_id=self.operation_id, batch=batch)
        placed = place(batch, found, self.room, now=self.now, ids=[uuid4() for _ in batch])
        self._leave_chains_for_later(placed, found)
        rows = [dict(one.row) for one in placed if one.fate is Fate.WRITE]
        await self._number(rows)
        written = await transfer.insert(self.conn, user_id=self.user_id, rows=rows) if rows else frozenset()
        for one in placed:
            self.tally.place(one, written=one.row["id"] in written)

    async def finish(self) -> None:
        """Tie what points at something that came later in the file; take back entities that nothing refers to."""
        if self._chains:
            await transfer.tie_chains(self.conn, user_id=self.user_id, chains=self._chains)
        for profile_id, keys in sorted(self._entities.items()):
            await transfer.drop_idle_entities(self.conn, user_id=self.user_id, profile_id=profile_id, keys=sorted(keys))

    def _leave_chains_for_later(self, placed: Sequence[Placed], found: Sequence[Found]) -> None:
        """Write no row that points at one which is neither there nor in the same batch; remember to."""
        here = {one.row["id"] for one in placed if one.fate is Fate.WRITE}
        for one, facts in zip(placed, found, strict=True):
            known = {"supersedes_id": facts.supersedes_known, "folded_into": facts.folded_known}
            later = {name: one.row[name] for name in known if not known[name] and one.row[name] not in {None, *here}}
            if one.fate is Fate.WRITE and later:
                self._chains.append({"id": one.row["id"], "supersedes_id": None, "folded_into": None, **later})
                one.row.update(dict.fromkeys(later))

    async def _number(self, rows: Sequence[dict[str, Any]]) -> None:
        """Give new rows their numbers, beyond all that rows bring along."""
        new = [row for row in rows if row["memory_no"] is None]
        if new or self.tally.highest_number:
            last = await transfer.take_numbers(
                self.conn, user_id=self.user_id, wanted=len(new), at_least=self.tally.highest_number
            )
            for number, row in enumerate(new, last - len(new) + 1):
                row["memory_no"] = number
