"""Validates the rows of an import and stages the valid ones on disk, until the whole file was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from keepsake.domain.transfer.import_row import ImportPolicy
from keepsake.domain.transfer.json_reader import HEADER, MEMORIES, RawRow
from keepsake.domain.transfer.validate_row import Finding, ValidatedRow, finding, restorable_row, validate_row
from keepsake.infra.spooled_queue import DiskQueue
from keepsake.store import exports, imports
from keepsake.usecases.transfer.report import Tally


@dataclass(frozen=True, slots=True)
class RestorableRow:
    """A signed row of a section beside the memories."""

    section: str
    row: Mapping[str, Any]


class StagedRows:
    """The valid rows of a file; a context manager that deletes them."""

    def __init__(self) -> None:
        self.memories: DiskQueue[ValidatedRow] = DiskQueue()
        self.others: Mapping[str, DiskQueue[Mapping[str, Any]]] = {
            name: DiskQueue() for name in imports.RESTORED_SECTIONS
        }
        self.profiles: set[str] = set()
        """The profiles of the rows in ``others``."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.memories.close()
        for queue in self.others.values():
            queue.close()


def validate(rows: Iterable[RawRow], policy: ImportPolicy) -> Iterator[ValidatedRow | RestorableRow | Finding]:
    """Validate the rows one by one; a row of another section that cannot be restored becomes a note."""
    for raw in rows:
        if raw.section == MEMORIES:
            yield validate_row(raw, policy)
        elif raw.section in imports.RESTORED_SECTIONS:
            row = restorable_row(raw, policy)
            yield finding(raw, raw.section, "not_signed_by_us") if row is None else RestorableRow(raw.section, row)
        elif raw.section == HEADER:
            version = raw.value.get("schema_version", exports.SCHEMA_VERSION)
            if not isinstance(version, int) or version > exports.SCHEMA_VERSION:
                yield finding(raw, "schema_version", "newer_than_ours")
        elif all(section.name != raw.section for section in exports.SECTIONS):
            yield finding(raw, raw.section, "unknown_section")


def stage(validated: Iterable[ValidatedRow | RestorableRow | Finding], staged: StagedRows, tally: Tally) -> None:
    """Write the valid rows to disk, and count all of them."""
    for one in validated:
        match one:
            case ValidatedRow():
                tally.add(one)
                staged.memories.write([one] if one.row is not None else [])
            case RestorableRow():
                staged.others[one.section].write([one.row])
                staged.profiles.add(one.row["profile_id"])
            case Finding():
                tally.note(one)
