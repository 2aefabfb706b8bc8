"""The operation that changes are recorded under: it names who does it and why, and can be undone as one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg

from keepsake.infra.database import Connection, queries

_SQL = queries.load("operations")


@dataclass(frozen=True, slots=True)
class Operation:
    """What a write belongs to, who does it and why: written down with every change, and undone as one."""

    id: UUID
    actor: str
    reason: str

    @property
    def named(self) -> dict[str, str]:
        """As statements take it."""
        return {"operation_id": str(self.id), "actor": self.actor, "reason": self.reason}


@asynccontextmanager
async def operation(conn: Connection, *, actor: str, reason: str, id: UUID | None = None) -> AsyncIterator[Operation]:
    """Record every change of the block under one operation, a new one unless its ``id`` is given.

    It ends with the block, also where that fails: later changes of the same transaction belong to none.
    """
    begun = Operation(id or uuid4(), actor, reason)
    await _SQL["begin_operation"].execute(conn, **begun.named)
    try:
        yield begun
    except BaseException:
        with suppress(psycopg.Error):  # a transaction that has failed takes no statement, and names no operation
            await _SQL["end_operation"].execute(conn)
        raise
    await _SQL["end_operation"].execute(conn)
