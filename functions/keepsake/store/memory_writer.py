"""The writer of memories: one open transaction, whose memories, from which source and under which operation."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from keepsake.domain.consent.turn_context import Origin
from keepsake.domain.memory import MemoryType, Source
from keepsake.infra.database import Connection
from keepsake.store.operations import Operation, operation


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWriter:
    """Writes the memories of one profile in one transaction."""

    conn: Connection
    user_id: UUID
    profile_id: UUID
    source: Source
    actor: str
    now: datetime
    origin: Origin
    allowed_types: frozenset[MemoryType]
    has_authority: bool = True
    """Whether the statements are the person's own; an agent's statements change nothing of the person's own."""
    operation_id: UUID = field(default_factory=uuid4)
    """The operation that everything merged by this writer belongs to."""

    def begin_operation(self, reason: str) -> AbstractAsyncContextManager[Operation]:
        """Begin a new operation of this actor."""
        return operation(self.conn, actor=self.actor, reason=reason)

    def begin_merge(self, reason: str) -> AbstractAsyncContextManager[Operation]:
        """Begin, or continue, the operation that the merged memories belong to."""
        return operation(self.conn, actor=self.actor, reason=reason, id=self.operation_id)

    def change(self, reason: str) -> dict[str, Any]:
        """The parameters that every statement of the merge shares."""
        merge = Operation(self.operation_id, self.actor, reason)
        return {**merge.named, "user_id": self.user_id, "said_at": self.origin.said_at, "now": self.now}
