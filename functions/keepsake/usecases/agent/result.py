"""What came of a call of the agent tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from keepsake.domain.agent.document import Document
from keepsake.domain.commands import Outcome, Status
from keepsake.domain.memory import Memory
from keepsake.usecases.agent.session import Acting
from keepsake.usecases.commands.where import Where


@dataclass(frozen=True, slots=True)
class Managed:
    """What came of a call: a status with its reason, what it touched or found, and the operation that undoes it."""

    status: Status
    reason: str | None = None
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    place_id: str | None = None
    document: Document | None = None

    def as_json(self, operation: str, message: str) -> dict[str, Any]:
        """The answer on the wire, whichever way the call came."""
        return {
            "operation": operation,
            "status": self.status,
            "reason": self.reason,
            "message": message,
            "fact_id": str(self.memories[0].id) if len(self.memories) == 1 else None,
            "place_id": self.place_id,
            "memories": [
                {
                    "id": str(one.id),
                    "ref": one.ref,
                    "type": one.type.value,
                    "text": one.text,
                    "confidence": one.confidence,
                    "status": one.status.value,
                }
                for one in self.memories
            ],
            "operation_id": str(self.operation_id) if self.operation_id else None,
            "document": self.document.as_json() if self.document else None,
        }


def writable(at: Acting, *, is_persona_only: bool = False) -> tuple[Where | None, Managed]:
    """Where something may be written; else why not."""
    if at.where is None:
        return None, Managed("unavailable", at.reason)
    if not at.where.building:
        return None, Managed("paused", "paused")
    if is_persona_only and at.where.persona_id is None:
        return None, Managed("refused", "no_persona")
    return at.where, Managed("done")


def managed(outcome: Outcome) -> Managed:
    """The outcome of remembering or forgetting, as the tool tells it."""
    return Managed(outcome.status, outcome.reason, outcome.memories, outcome.operation_id)
