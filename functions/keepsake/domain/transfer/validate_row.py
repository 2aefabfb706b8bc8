"""Validates one row of an import: a signed row is restored as it was, an unsigned row is checked and screened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.lifecycle.lifetimes import expires_at
from keepsake.domain.memory import Candidate, MemoryType, Source, Subtype
from keepsake.domain.reading.statements import key_of
from keepsake.domain.screening.screen import Dropped, rejection_of_text, screen
from keepsake.domain.transfer.import_row import (
    CODE_FENCES,
    MAX_IMPORTED_CONFIDENCE,
    ImportPolicy,
    ImportRow,
    parse_fields,
)
from keepsake.domain.transfer.json_reader import MEMORIES, RawRow
from keepsake.domain.transfer.row_schema import COLUMNS, MARKS, SECTION_COLUMNS
from keepsake.domain.transfer.row_state import LINKS, is_forgotten, linked_ids, state_of
from keepsake.domain.transfer.split_marks import respell_key

_NAME_LENGTH = 60
_WRITTEN_DIRECTLY = frozenset({Source.USER, Source.SEEDED_PROFILE})
"""The sources of a memory that its person may have edited, or written as their profile's name."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of a row, or a note about it: row, line, field, and the reason as a stable code."""

    row: int
    line: int
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class ValidatedRow:
    """A memory to write; ``row`` is None where the row has problems, or where it was forgotten elsewhere."""

    number: int
    line: int
    row: Mapping[str, Any] | None
    signed: bool
    problems: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    is_forgotten: bool = False


def validate_row(raw: RawRow, policy: ImportPolicy) -> ValidatedRow:
    """The row as it would be stored, or its problems; notes name the fields that were ignored."""
    row = raw.value
    if not isinstance(row, Mapping):
        return _result(raw, problems=[("", "not_a_row")])
    if raw.repeated:
        return _result(raw, problems=[(name, "given_twice") for name in raw.repeated])
    content = {name: value for name, value in row.items() if name not in MARKS}
    notes = [(name, "unknown_field") for name in content if name not in COLUMNS]
    signature = row.get("signature")
    if (vouched := _signed_part(MEMORIES, content, signature, policy)) is not None:
        return _signed(raw, vouched, policy, notes)
    if signature is not None:
        notes.append(("signature", "not_signed_by_us"))
    return _unsigned(raw, content, policy, notes)


def restorable_row(raw: RawRow, policy: ImportPolicy) -> dict[str, Any] | None:
    """A signed row of another section, in one of the person's profiles; None without a valid signature."""
    row = raw.value
    if not isinstance(row, Mapping) or raw.repeated:
        return None
    content = {name: value for name, value in row.items() if name not in MARKS}
    vouched = _signed_part(raw.section, content, row.get("signature"), policy)
    if vouched is None:
        return None
    return {**vouched} if vouched.get("profile_id") in policy.profiles else {**vouched, "profile_id": policy.target}


def _signed_part(
    section: str, content: Mapping[str, Any], signature: object, policy: ImportPolicy
) -> Mapping[str, Any] | None:
    """The fields that the signature covers: all, or those that this version knows; None where it covers neither."""
    if signature is None:
        return None
    if policy.verify(section, content, signature):
        return content
    known = {name: value for name, value in content.items() if name in SECTION_COLUMNS.get(section, ())}
    return known if len(known) < len(content) and policy.verify(section, known, signature) else None


def finding(raw: RawRow, field: str, reason: str) -> Finding:
    """A finding with the field's name as a report can contain it: short, and without unpaired surrogates."""
    return Finding(raw.row, raw.line, field[:_NAME_LENGTH].encode("utf-8", "replace").decode(), reason)


_Reasons = list[tuple[str, str]]


def _result(
    raw: RawRow,
    row: Mapping[str, Any] | None = None,
    *,
    signed: bool = False,
    problems: _Reasons | None = None,
    notes: _Reasons | None = None,
) -> ValidatedRow:
    def findings(reasons: _Reasons | None) -> tuple[Finding, ...]:
        return tuple(finding(raw, field, reason) for field, reason in reasons or ())

    return ValidatedRow(raw.row, raw.line, row, signed, findings(problems), findings(notes))


def _signed(raw: RawRow, content: Mapping[str, Any], policy: ImportPolicy, notes: _Reasons) -> ValidatedRow:
    """Every value as it was; only a profile that does not exist any more is replaced.

    An edit may have been exported before it was screened, so what the person may have written is screened here.
    """
    row = {name: content.get(name) for name in COLUMNS if name != "is_active"}
    written = {"persona_id": row["persona_id"]}
    if row["source"] in _WRITTEN_DIRECTLY:
        written["memory_text"] = row["memory_text"]
    rejections = [(name, reason) for name, text in written.items() if text and (reason := rejection_of_text(text))]
    if rejections:
        return _result(raw, problems=rejections, notes=notes)
    if row["profile_id"] not in policy.profiles:
        row["profile_id"] = policy.target
        notes.append(("profile_id", "profile_gone"))
    return _result(raw, respell_key(row), signed=True, notes=notes)


def _unsigned(raw: RawRow, content: Mapping[str, Any], policy: ImportPolicy, notes: _Reasons) -> ValidatedRow:
    """The editable fields, checked one by one and screened like an extracted memory."""
    present = {name: content[name] for name in COLUMNS if content.get(name) is not None}
    if "user_id" in present and present.get("profile_id") not in policy.profiles | {None}:
        del present["profile_id"]  # a row of another account's export
        notes.append(("profile_id", "profile_gone"))
    links = linked_ids(present, policy)
    taken = {*ImportRow.model_fields, *(LINKS if "user_id" in present else ())}
    notes += [(name, "belongs_to_the_server") for name in present if name not in taken]
    fields = parse_fields({name: present[name] for name in present if name in ImportRow.model_fields}, policy)
    if not isinstance(fields, ImportRow):
        return _result(raw, problems=fields, notes=notes)
    if any(fence in present["memory_text"] for fence in CODE_FENCES):
        notes.append(("memory_text", "code_left_out"))
    if is_forgotten(fields):
        return ValidatedRow(raw.row, raw.line, None, signed=False, is_forgotten=True)
    verdict = screen(_candidate(fields), message=fields.memory_text, may_contain_speech=True)
    if isinstance(verdict, Dropped):
        return _result(raw, problems=[("memory_text", verdict.reason)], notes=notes)
    return _result(raw, _new_memory(fields, verdict, policy) | links, notes=notes)


def _candidate(fields: ImportRow) -> Candidate:
    return Candidate(
        type=MemoryType(fields.memory_type),
        subtype=Subtype(fields.subtype),
        text=fields.memory_text,
        quote="",
        confidence=min(fields.confidence_score, MAX_IMPORTED_CONFIDENCE),
        importance=3 if fields.pinned else fields.importance,
        entity_type=fields.entity_type,
        entity_refs=tuple(fields.entity_refs),
        entity_label=fields.entity_label,
        language=fields.language,
        persona_id=fields.persona_id,
        period=fields.period,
    )


def _new_memory(fields: ImportRow, screened: Candidate, policy: ImportPolicy) -> dict[str, Any]:
    """Every column of the new memory, with the key that the rules know for it; the database assigns id and number."""
    now = policy.now.isoformat()
    key, value = key_of(screened.text) or (None, None)
    expiry = expires_at(screened, said_at=policy.now, source=Source.IMPORT)
    expires = fields.expires_at or (expiry.isoformat() if expiry else None)
    values: dict[str, Any] = {
        "profile_id": fields.profile_id or policy.target,
        "memory_text": screened.text,
        "memory_type": screened.type.value,
        "confidence_score": screened.confidence,
        "subtype": screened.subtype.value,
        "entity_type": screened.entity_type,
        "importance": screened.importance,
        "pinned": fields.pinned,
        "entity_refs": list(screened.entity_refs),
        "entity_label": screened.entity_label,
        "persona_id": fields.persona_id,
        "language": screened.language,
        "memory_key": key,
        "value": value,
        "source": Source.IMPORT.value,
        "reference_count": 0,
        "created_at": now,
        "updated_at": now,
        "valid_from": fields.valid_from or now,
        "expires_at": expires,
        "period": with_period(screened).period,
        **state_of(fields, expires, policy.now),
    }
    return {name: values.get(name) for name in COLUMNS if name != "is_active"}
