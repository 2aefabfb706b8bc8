"""The state of an unsigned row of an import: what a file says is over does not come back as current."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from keepsake.domain.memory import Status
from keepsake.domain.transfer.import_row import ImportPolicy, ImportRow

LINKS = ("id", "supersedes_id")
"""What links the rows of an export with each other."""


def is_forgotten(fields: ImportRow) -> bool:
    """Whether the row was forgotten where it comes from, and so is not imported."""
    return fields.status == Status.DELETED or fields.deleted_at is not None


def state_of(fields: ImportRow, expires_at: str | None, now: datetime) -> dict[str, Any]:
    """The columns of the state of a row that was not forgotten: current, or history."""
    status = Status(fields.status or Status.ACTIVE)
    if status is Status.ACTIVE:
        status = _state_by_dates(fields, expires_at, now)
    moment = now.isoformat()
    return {
        "status": status.value,
        "valid_to": fields.valid_to or (moment if status is Status.SUPERSEDED else None),
        "archived_at": (fields.archived_at or moment) if status is Status.ARCHIVED else None,
        "doubted_at": fields.doubted_at if status is Status.ACTIVE else None,
    }


def linked_ids(present: Mapping[str, Any], policy: ImportPolicy) -> dict[str, str | None]:
    """The ids of a row of another export, made anew for this person, so that what replaced what stays known."""
    if "user_id" not in present:
        return dict.fromkeys(LINKS)
    return {name: _id_for(policy.person, present.get(name)) for name in LINKS}


def _state_by_dates(fields: ImportRow, expires_at: str | None, now: datetime) -> Status:
    if fields.valid_to is not None and datetime.fromisoformat(fields.valid_to) <= now:
        return Status.SUPERSEDED
    if expires_at is not None and datetime.fromisoformat(expires_at) <= now:
        return Status.EXPIRED
    return Status.ACTIVE


def _id_for(person: UUID, of_file: object) -> str | None:
    """The same for the same person and id, so that a file may be imported twice."""
    try:
        return str(uuid5(person, str(UUID(of_file)))) if isinstance(of_file, str) else None
    except ValueError:
        return None
