"""The report of an import: how many rows were imported, skipped or refused, and the problems of each row."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Literal
from uuid import UUID

from keepsake.domain.transfer.import_plan import RowAction, RowPlan
from keepsake.domain.transfer.validate_row import Finding, ValidatedRow
from keepsake.errors import TooLarge

MAX_ROWS = 200_000
"""Rows of one file: they are written and undone in one transaction."""
MAX_PROBLEMS = 1000
"""Problems that a report names; more are only counted."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A note about many rows: the first of them, and how many."""

    field: str
    reason: str
    row: int
    line: int
    rows: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The result of an import; ``imported`` includes ``restored`` and ``archived``."""

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
    history: dict[str, int]
    forgotten: int
    screened_by: Literal["words", "words_and_model"]
    problems: tuple[Finding, ...]
    notes: tuple[Notice, ...]


@dataclass(slots=True)
class Tally:
    """Collects a report row by row."""

    max_rows: int = MAX_ROWS
    refused: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    also_restored: Counter[str] = field(default_factory=Counter)
    history: Counter[str] = field(default_factory=Counter)
    profiles: set[str] = field(default_factory=set)
    highest_number: int = 0
    is_by_model: bool = True
    """Whether the embedding model of this process read every new text; else the words alone decided."""
    _rows: int = 0
    _problems: list[Finding] = field(default_factory=list)
    _notes: dict[tuple[str, str], Notice] = field(default_factory=dict)

    def add(self, validated: ValidatedRow) -> None:
        """Count a memory of the file, with its problems and notes."""
        self._rows += 1
        if self._rows > self.max_rows:
            raise TooLarge(f"A file may have {self.max_rows} rows.", hint="Import it in several parts.")
        for note in validated.notes:
            self.note(note)
        if validated.is_forgotten:
            self.counts["forgotten"] += 1
            return
        if validated.row is None:
            self.refused += 1
            self._problems += validated.problems[: MAX_PROBLEMS - len(self._problems)]
            return
        self.profiles.add(validated.row["profile_id"])
        self.highest_number = max(self.highest_number, validated.row["memory_no"] or 0)

    def note(self, finding: Finding) -> None:
        """Count a note; the number of distinct notes is limited, because a file may contain any field."""
        of = (finding.field, finding.reason)
        if of in self._notes:
            self._notes[of] = replace(self._notes[of], rows=self._notes[of].rows + 1)
        elif len(self._notes) < MAX_PROBLEMS:
            self._notes[of] = Notice(finding.field, finding.reason, finding.row, finding.line, 1)

    def count(self, plan: RowPlan, *, written: bool) -> None:
        """Count the result of a valid row."""
        if plan.action is RowAction.WRITE and written:
            self.counts["imported"] += 1
            self.counts["restored"] += plan.validated.signed
            self.counts["archived"] += plan.archived
            if (status := plan.row["status"]) != "active" and not plan.archived:
                self.history[status] += 1
            return
        self.counts["unchanged"] += 1
        number, line = plan.validated.number, plan.validated.line
        if plan.action is not RowAction.SKIP_DUPLICATE:
            self.note(Finding(number, line, "memory_key", "something_newer_stands"))
        elif plan.existing_status == "deleted" and plan.row["status"] != "deleted":
            self.note(Finding(number, line, "status", "forgotten_since"))

    def report(self, *, operation_id: UUID | None, profile_id: UUID, atomic: bool) -> ImportReport:
        """The report, after the last row."""
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
            also_restored={section: count for section, count in self.also_restored.items() if count},
            history=dict(self.history),
            forgotten=self.counts["forgotten"],
            screened_by="words_and_model" if self.is_by_model else "words",
            problems=tuple(self._problems),
            notes=tuple(self._notes.values()),
        )
