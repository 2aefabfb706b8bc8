"""Judges one row of an import: as it was signed, or as anybody could have written it; nothing waits for a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keepsake.domain.lifecycle.lifetimes import expires_at
from keepsake.domain.memory import Candidate, MemoryType, Source, Subtype
from keepsake.domain.screening.screen import Dropped, screen
from keepsake.domain.transfer.cell_checks import CHECKS, Terms, checked
from keepsake.domain.transfer.json_reader import MEMORIES, Given
from keepsake.domain.transfer.row_schema import COLUMNS, MARKS, Unfit

MAX_IMPORTED_CONFIDENCE = 0.8
"""What nobody vouches for is never believed more than this."""

_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a row, or worth knowing of it: where, which field, and why, as one stable word."""

    row: int
    line: int
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A row ready to be written, unless something is wrong with it."""

    given: int
    line: int
    row: Mapping[str, Any] | None
    signed: bool
    problems: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()


def judge(given: Given, terms: Terms) -> Judged:
    """The row as it would be stored, or what is wrong with it; notes say what of it was not taken over."""
    row = given.value
    if not isinstance(row, Mapping):
        return _refused(given, _finding(given, "", "not_a_row"))
    if given.twice:
        return _refused(given, *(_finding(given, name, "given_twice") for name in given.twice))
    content = {name: value for name, value in row.items() if name not in MARKS}
    notes = [_finding(given, name, "unknown_field") for name in content if name not in COLUMNS]
    signature = row.get("signature")
    if signature is not None and terms.verify(MEMORIES, content, signature):
        return _signed(given, content, terms, notes)
    if signature is not None:
        notes.append(_finding(given, "signature", "not_signed_by_us"))
    return _unsigned(given, content, terms, notes)


def restorable(given: Given, terms: Terms) -> dict[str, Any] | None:
    """A row of what stands beside the memories as it was, in a profile of the person's; None if we did not sign it."""
    row = given.value
    if not isinstance(row, Mapping) or given.twice:
        return None
    content = {name: value for name, value in row.items() if name not in MARKS}
    if not terms.verify(given.section, content, row.get("signature")):
        return None
    return content if content.get("profile_id") in terms.profiles else {**content, "profile_id": terms.target}


def shown(name: str) -> str:
    """The name of a field as a report can tell it: short, and without halves of characters that no answer can hold."""
    return name[:_NAME_LENGTH].encode("utf-8", "replace").decode()


def _finding(given: Given, field: str, reason: str) -> Finding:
    return Finding(given.row, given.line, shown(field), reason)


def _refused(given: Given, *problems: Finding) -> Judged:
    return Judged(given.row, given.line, None, signed=False, problems=problems)


def _signed(given: Given, content: Mapping[str, Any], terms: Terms, notes: list[Finding]) -> Judged:
    """Everything as it was; only a profile that is gone is replaced."""
    row = {name: content.get(name) for name in COLUMNS if name != "is_active"}
    if row["profile_id"] not in terms.profiles:
        row["profile_id"] = terms.target
        notes.append(_finding(given, "profile_id", "profile_gone"))
    return Judged(given.row, given.line, row, signed=True, notes=tuple(notes))


def _unsigned(given: Given, content: Mapping[str, Any], terms: Terms, notes: list[Finding]) -> Judged:
    """What anybody may say, checked field by field and screened as anything that is extracted."""
    values: dict[str, Any] = {}
    problems: list[Finding] = []
    said = {"memory_text": "", "memory_type": MemoryType.FACT.value} | {
        name: content[name] for name in COLUMNS if content.get(name) is not None
    }
    for name, value in said.items():
        if name not in CHECKS:
            notes.append(_finding(given, name, "belongs_to_the_server"))
            continue
        try:
            values[name] = checked(name, value, terms)
        except Unfit as error:
            problems.append(_finding(given, name, str(error)))
    if problems:
        return Judged(given.row, given.line, None, signed=False, problems=tuple(problems), notes=tuple(notes))
    return _screened(given, values, terms, notes)


def _screened(given: Given, values: Mapping[str, Any], terms: Terms, notes: list[Finding]) -> Judged:
    candidate = Candidate(
        type=MemoryType(values["memory_type"]),
        subtype=Subtype(values.get("subtype", Subtype.OTHER)),
        text=values["memory_text"],
        quote="",
        confidence=min(values.get("confidence_score", MAX_IMPORTED_CONFIDENCE), MAX_IMPORTED_CONFIDENCE),
        importance=3 if values.get("pinned") else values.get("importance", 1),
        entity_type=values.get("entity_type"),
        entity_refs=tuple(values.get("entity_refs", ())),
        entity_label=values.get("entity_label"),
        language=values.get("language", "en"),
    )
    verdict = screen(candidate)
    if isinstance(verdict, Dropped):
        problem = _finding(given, "memory_text", verdict.reason)
        return Judged(given.row, given.line, None, signed=False, problems=(problem,), notes=tuple(notes))
    row = _row(values, verdict.candidate, terms)
    return Judged(given.row, given.line, row, signed=False, notes=tuple(notes))


def _row(values: Mapping[str, Any], kept: Candidate, terms: Terms) -> dict[str, Any]:
    """Every column of the new memory; the database gives it its id and number."""
    now = terms.now.isoformat()
    ends = expires_at(kept, said_at=terms.now, source=Source.IMPORT)
    given: dict[str, Any] = {
        "profile_id": values.get("profile_id", terms.target),
        "memory_text": kept.text,
        "memory_type": kept.type.value,
        "confidence_score": kept.confidence,
        "subtype": kept.subtype.value,
        "entity_type": kept.entity_type,
        "importance": kept.importance,
        "pinned": values.get("pinned", False),
        "entity_refs": list(kept.entity_refs),
        "entity_label": kept.entity_label,
        "persona_id": values.get("persona_id"),
        "language": kept.language,
        "source": Source.IMPORT.value,
        "status": "active",
        "reference_count": 0,
        "created_at": now,
        "updated_at": now,
        "valid_from": values.get("valid_from", now),
        "expires_at": values.get("expires_at", ends.isoformat() if ends else None),
    }
    return {name: given.get(name) for name in COLUMNS if name != "is_active"}
