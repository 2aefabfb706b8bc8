"""Undoes an operation of any size: in one transaction, by statements of bounded size."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.identity import Person
from keepsake.infra.database import Profile
from keepsake.infra.progress import Progress
from keepsake.infra.resources import Resources
from keepsake.store import undo


@dataclass(frozen=True, slots=True)
class Undone:
    """The operation that was undone, the one that undid it, and the number of changes."""

    operation_id: UUID
    undone: UUID
    affected: int


async def undo_operation(resources: Resources, person: Person, operation_id: UUID) -> Undone:
    """Restore what an operation of the last 30 days changed, all of it or nothing."""
    progress = Progress("undo")
    async with resources.database.as_service(Profile.LOCKING) as conn:
        undo_id, affected = await undo.undo_operation(
            conn, user_id=person.user_id, operation_id=operation_id, report=progress.report
        )
    return Undone(undo_id, operation_id, affected)
