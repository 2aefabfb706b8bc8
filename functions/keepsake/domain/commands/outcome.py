"""What came of a chat command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import Memory
from keepsake.domain.reading.commands import Kind

Status = Literal["done", "nothing", "which", "confirm", "pending", "refused", "paused", "unavailable", "limited"]
"""How a command ended: done; nothing found; a question back, which or whether; pending until the person answers an
agent's request; or not allowed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a command: the memories it changed or found, and the operation that can be undone."""

    status: Status
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    reason: str | None = None
    """A stable word for why it was not done; of an undo ``restored`` or ``removed``."""
    cancelled: UUID | None = None
    """The message whose pending extraction was cancelled."""
    total: int | None = None
    """How many memories there were, where not all are listed."""

    @property
    def count(self) -> int:
        """How many memories the command changed or found."""
        return len(self.memories) if self.total is None else self.total


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The outcome for the assistant: ``message`` is a sentence it can use."""

    kind: Kind
    status: Status
    message: str
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    reason: str | None = None
