"""Brings memories back: read row by row, judged and screened without the database, then written as one operation."""

from __future__ import annotations

import asyncio
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO, Literal
from uuid import UUID, uuid4

from keepsake.domain.lifecycle import MAX_ACTIVE_MEMORIES
from keepsake.domain.transfer.checks import Terms
from keepsake.domain.transfer.plan import Fate, Placed, Room, place
from keepsake.domain.transfer.reading_json import MEMORIES, Given, Malformed
from keepsake.domain.transfer.rows import Finding, Judged, judge
from keepsake.domain.transfer.signing import Signer
from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.db import Connection
from keepsake.infra.resources import Resources
from keepsake.infra.spool import Spool
from keepsake.store import memories, transfer
from keepsake.usecases.import_document import Form, rows_of

BATCH = 500
"""Rows that are judged, looked up and written at a time."""
MOST_PROBLEMS = 1000
"""Problems a report names one by one; beyond it they are only counted."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something worth knowing of many rows at once: the first of them, and how many."""

    field: str
    reason: str
    row: int
    line: int
    rows: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a file, row by row where something was wrong."""

    status: Literal["imported", "unchanged", "refused"]
    operation_id: UUID | None
    profile_id: UUID
    rows: int
    imported: int
    restored: int
    archived: int
    unchanged: int
    refused: int
    problems: tuple[Finding, ...]
    notes: tuple[Noted, ...]


@dataclass(slots=True)
class _Tally:
    """What a report is made of, while the rows go by."""

    rows: int = 0
    refused: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Finding] = field(default_factory=list)
    notes: dict[tuple[str, str], Noted] = field(default_factory=dict)
    profiles: set[str] = field(default_factory=set)
    highest_number: int = 0

    def add(self, judged: Judged) -> None:
        """Count one row, and what is to be said of it."""
        self.rows += 1
        for note in judged.notes:
            self.note(note)
        if judged.row is None:
            self.refused += 1
            self.problems += judged.problems[: MOST_PROBLEMS - len(self.problems)]
            return
        self.profiles.add(judged.row["profile_id"])
        self.highest_number = max(self.highest_number, judged.row["memory_no"] or 0)

    def note(self, finding: Finding) -> None:
        """Count something worth knowing; a file that names ever new fields does not fill the report."""
        of = (finding.field, finding.reason)
        if of in self.notes:
            self.notes[of] = replace(self.notes[of], rows=self.notes[of].rows + 1)
        elif len(self.notes) < MOST_PROBLEMS:
            self.notes[of] = Noted(finding.field, finding.reason, finding.row, finding.line, 1)


async def import_memories(
    use: Resources,
    person: Person,
    content: BinaryIO | bytes,
    *,
    form: Form | None = None,
    profile_id: UUID | None = None,
    atomic: bool = False,
) -> ImportReport:
    """Import a file into a person's own profiles; the same file twice changes nothing.

    ``content`` is JSON (our own export, or a list of ``{"memory_text": …}``), one such object a line, or CSV; ``form``
    says which, else it shows. Rows that name no profile go to ``profile_id``, else to the primary one. With ``atomic``
    nothing is written where one row is refused.
    """
    terms = await _terms(use, person, profile_id)
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    tally = _Tally()
    good: Spool[Judged] = Spool()
    with good:
        try:
            given = rows_of(file, form)
            while batch := await asyncio.to_thread(_judged, given, terms):
                for judged in batch:
                    tally.add(judged)
                await asyncio.to_thread(good.write, [judged for judged in batch if judged.row is not None])
        except Malformed as error:
            raise InvalidInput("The file cannot be read; nothing was imported.", details=str(error)) from None
        operation_id = None
        if not (atomic and tally.refused) and tally.profiles:
            operation_id = await _write(use, person, good, tally)
    return _report(tally, operation_id, terms, atomic=atomic)


async def _terms(use: Resources, person: Person, profile_id: UUID | None) -> Terms:
    """What the rows are judged by, as the person themself sees it."""
    async with use.database.as_user(person) as conn:
        profiles = await transfer.own_profiles(conn, user_id=person.user_id)
        allowed = await transfer.allowed_types(conn, user_id=person.user_id)
    primary = next((profile for profile, is_primary in profiles.items() if is_primary), None)
    target = str(profile_id) if profile_id else primary
    if target is None:
        raise Conflict("There is no primary profile that memories could belong to.")
    if target not in profiles:
        raise NotFound("There is no such profile, or it is not yours.")
    signer = Signer(use.settings.signing_keys, person.user_id)
    return Terms(use.clock.now(), frozenset(profiles), target, allowed, signer.verify)


def _judged(given: Iterator[Given], terms: Terms) -> list[Judged]:
    """The next rows, judged; what is no memory is passed over here."""
    return [judge(one, terms) for one in islice((one for one in given if one.section == MEMORIES), BATCH)]


async def _write(use: Resources, person: Person, good: Spool[Judged], tally: _Tally) -> UUID | None:
    """Write what is new as one operation, holding back merges into the same profiles meanwhile."""
    operation_id = uuid4()
    profiles = sorted(tally.profiles)
    async with use.database.as_service(batched=False) as conn:
        await transfer.hold_merges(conn, user_id=person.user_id, profiles=profiles)
        await memories.begin_operation(conn, operation_id=operation_id, actor="user", reason="import")
        room = Room(MAX_ACTIVE_MEMORIES, await transfer.count_active(conn, user_id=person.user_id, profiles=profiles))
        writer = _Writer(use, conn, person.user_id, operation_id, room, tally)
        while batch := await asyncio.to_thread(good.read, BATCH):
            await writer.write(batch)
        await writer.finish()
    return operation_id if tally.counts["imported"] else None


@dataclass(slots=True)
class _Writer:
    """Writes batch after batch in one transaction."""

    use: Resources
    conn: Connection
    user_id: UUID
    operation_id: UUID
    room: Room
    tally: _Tally
    chains: list[dict[str, str]] = field(default_factory=list)

    async def write(self, batch: Sequence[Judged]) -> None:
        """Decide about a batch, write what is to be written, and count."""
        found = await transfer.look_up(self.conn, user_id=self.user_id, operation_id=self.operation_id, batch=batch)
        now = self.use.clock.now().isoformat()
        placed = place(batch, found, self.room, now=now, ids=[uuid4() for _ in batch])
        new = [one for one in placed if one.fate is Fate.WRITE]
        known = {str(one.row["id"]) for one in new}
        for one, facts in zip(placed, found, strict=True):
            after = one.row.get("supersedes_id")
            if one.fate is Fate.WRITE and after and not facts.supersedes_known and after not in known:
                self.chains.append({"id": str(one.row["id"]), "supersedes_id": after})
        pointed_later = {chain["id"] for chain in self.chains}
        rows = [{**one.row, "supersedes_id": None} if one.row["id"] in pointed_later else dict(one.row) for one in new]
        await self._number(rows)
        written = await transfer.insert(self.conn, user_id=self.user_id, rows=rows) if rows else frozenset()
        for one in placed:
            self._count(one, written)

    async def finish(self) -> None:
        """Tie the chains that a row began before what it replaced had come."""
        for start in range(0, len(self.chains), BATCH):
            await transfer.tie_chains(self.conn, user_id=self.user_id, chains=self.chains[start : start + BATCH])

    async def _number(self, rows: Sequence[dict[str, object]]) -> None:
        new = [row for row in rows if row["memory_no"] is None]
        if not new and not self.tally.highest_number:
            return
        last = await transfer.take_numbers(
            self.conn, user_id=self.user_id, wanted=len(new), at_least=self.tally.highest_number
        )
        for number, row in enumerate(new, last - len(new) + 1):
            row["memory_no"] = number

    def _count(self, one: Placed, written: frozenset[str]) -> None:
        if one.fate is Fate.WRITE and one.row["id"] in written:
            self.tally.counts["imported"] += 1
            self.tally.counts["restored"] += one.judged.signed
            self.tally.counts["archived"] += one.archived
            return
        self.tally.counts["unchanged"] += 1
        if one.fate is not Fate.KNOWN:
            self.tally.note(Finding(one.judged.given, one.judged.line, "memory_key", "something_newer_stands"))
        elif one.now == "deleted" and one.row["status"] != "deleted":
            self.tally.note(Finding(one.judged.given, one.judged.line, "status", "forgotten_since"))


def _report(tally: _Tally, operation_id: UUID | None, terms: Terms, *, atomic: bool) -> ImportReport:
    counts: Mapping[str, int] = tally.counts
    refused = atomic and tally.refused > 0
    return ImportReport(
        status="refused" if refused else "imported" if operation_id else "unchanged",
        operation_id=operation_id,
        profile_id=UUID(terms.target),
        rows=tally.rows,
        imported=counts["imported"],
        restored=counts["restored"],
        archived=counts["archived"],
        unchanged=counts["unchanged"],
        refused=tally.refused,
        problems=tuple(tally.problems),
        notes=tuple(tally.notes.values()),
    )
