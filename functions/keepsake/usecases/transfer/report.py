"""What an import tells of a file: how many rows became what, and row by row where something was wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import UUID

from keepsake.domain.transfer.import_plan import Fate, Placed
from keepsake.domain.transfer.validate_row import Finding, Judged
from keepsake.errors import TooLarge

MOST_ROWS = 200_000
"""Rows one file may have: what is written at once, and can be undone at once, has an end."""
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
    """What became of a file; ``restored`` and ``archived`` are among the imported."""

    status: Literal["imported", "unchanged", "refused"]
    operation_id: UUID | None
    profile_id: UUID
    rows: int
    imported: int
    restored: int
    archived: int
    unchanged: int
    refused: int
    also_restored: dict[str, int]
    problems: tuple[Finding, ...]
    notes: tuple[Noted, ...]


@dataclass(slots=True)
class Tally:
    """What a report is made of, while the rows go by."""

    refused: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    also: Counter[str] = field(default_factory=Counter)
    profiles: set[str] = field(default_factory=set)
    highest_number: int = 0
    _rows: int = 0
    _problems: list[Finding] = field(default_factory=list)
    _notes: dict[tuple[str, str], Noted] = field(default_factory=dict)

    def add(self, judged: Judged) -> None:
        """Count one row, and what is to be said of it."""
        self._rows += 1
        if self._rows > MOST_ROWS:
            raise TooLarge(f"A file may have {MOST_ROWS} rows.", hint="Import it in several parts.")
        for note in judged.notes:
            self.note(note)
        if judged.row is None:
            self.refused += 1
            self._problems += judged.problems[: MOST_PROBLEMS - len(self._problems)]
            return
        self.profiles.add(judged.row["profile_id"])
        self.highest_number = max(self.highest_number, judged.row["memory_no"] or 0)

    def note(self, finding: Finding) -> None:
        """Count something worth knowing; a file that names ever new fields does not fill the report."""
        of = (finding.field, finding.reason)
        if of in self._notes:
            self._notes[of] = replace(self._notes[of], rows=self._notes[of].rows + 1)
        elif len(self._notes) < MOST_PROBLEMS:
            self._notes[of] = Noted(finding.field, finding.reason, finding.row, finding.line, 1)

    def place(self, one: Placed, *, written: bool) -> None:
        """Count what became of a good row."""
        if one.fate is Fate.WRITE and written:
            self.counts["imported"] += 1
            self.counts["restored"] += one.judged.signed
            self.counts["archived"] += one.archived
            return
        self.counts["unchanged"] += 1
        if one.fate is not Fate.KNOWN:
            self.note(Finding(one.judged.given, one.judged.line, "memory_key", "something_newer_stands"))
        elif one.now == "deleted" and one.row["status"] != "deleted":
            self.note(Finding(one.judged.given, one.judged.line, "status", "forgotten_since"))

    def report(self, *, operation_id: UUID | None, profile_id: UUID, atomic: bool) -> ImportReport:
        """The report, once the last row has gone by."""
        refused = atomic and self.refused > 0
        return ImportReport(
            status="refused" if refused else "imported" if operation_id else "unchanged",
            operation_id=operation_id,
            profile_id=profile_id,
            rows=self._rows,
            imported=self.counts["imported"],
            restored=self.counts["restored"],
            archived=self.counts["archived"],
            unchanged=self.counts["unchanged"],
            refused=self.refused,
            also_restored={section: count for section, count in self.also.items() if count},
            problems=tuple(self._problems),
            notes=tuple(self._notes.values()),
        )
