"""Validates the rows of an import and stages the valid ones on disk, until the whole file was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from keepsake.domain.transfer.import_row import ImportPolicy
from keepsake.domain.transfer.json_reader import HEADER, MEMORIES, SCHEMA_VERSION, MalformedFile, RawRow
from keepsake.domain.transfer.other_products import expected_form
from keepsake.domain.transfer.row_schema import MARKS, SECTION_COLUMNS
from keepsake.domain.transfer.validate_row import Finding, ValidatedRow, finding, restorable_row, validate_row
from keepsake.infra.spooled_queue import DiskQueue
from keepsake.store import exports, imports
from keepsake.usecases.transfer.report import Tally

_SECTIONS: Mapping[str, exports.Section] = {section.name: section for section in exports.SECTIONS}
_NOT_RESTORED = frozenset(
    section.name
    for section in exports.SECTIONS
    if section.name not in imports.RESTORED_SECTIONS
    and section.name != MEMORIES
    and (section.provenance == "derived" or section.name in {"sessions", "forgotten_summaries"})
)
"""What is made anew from what is remembered, and named in the report."""
_MAX_DIGITS = 9


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
    """Validate the rows one by one; a row of another section that cannot be restored becomes a note.

    A file of a later version, or without anything of ours, is refused.
    """
    is_ours, unknown = False, dict[str, object]()
    for raw in rows:
        is_ours |= raw.section == MEMORIES or raw.section in _SECTIONS
        if raw.section == MEMORIES:
            yield validate_row(raw, policy)
        elif raw.section in imports.RESTORED_SECTIONS:
            yield from _restorable(raw, policy)
        elif raw.section == HEADER:
            is_ours |= SCHEMA_VERSION in raw.value
            _check_version(raw)
            unknown |= raw.value
        elif raw.section not in _SECTIONS:
            unknown[raw.section] = raw.value
            yield finding(raw, raw.section, "unknown_section")
        elif raw.section in _NOT_RESTORED:
            yield finding(raw, raw.section, "not_restored")
    if unknown and not is_ours:
        raise MalformedFile(1, expected_form(unknown))


def _restorable(raw: RawRow, policy: ImportPolicy) -> Iterator[RestorableRow | Finding]:
    """A signed row, with notes of the fields that this version does not know."""
    row = restorable_row(raw, policy)
    if row is None:
        yield finding(raw, raw.section, "not_signed_by_us")
        return
    for name in raw.value.keys() - SECTION_COLUMNS[raw.section] - MARKS:
        yield finding(raw, name, "unknown_field")
    yield RestorableRow(raw.section, row)


def _check_version(raw: RawRow) -> None:
    """Refuse a file of a later version, whose rows may mean something else."""
    version = raw.value.get(SCHEMA_VERSION, exports.SCHEMA_VERSION)
    major = str(int(version) if isinstance(version, float) else version).partition(".")[0]
    if not major.isdecimal() or len(major) > _MAX_DIGITS or int(major) > exports.SCHEMA_VERSION:
        ours = f"this release reads version {exports.SCHEMA_VERSION}"
        raise MalformedFile(raw.line, f"the file has {SCHEMA_VERSION} {str(version)[:20]}, and {ours}: update Keepsake")


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
