"""The operation that changes are recorded under, which can be undone as one; and the writer that begins one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Self
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncRawCursor
from psycopg.rows import tuple_row

from keepsake.domain.consent.turn_context import Origin, TurnContext
from keepsake.domain.memory import MemoryType, Source
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey

_SQL = queries.load("operations")


@dataclass(frozen=True, slots=True)
class Operation:
    """A group of writes, by whom and why: recorded with every change, and undone as one."""

    id: UUID
    actor: str
    reason: str

    @property
    def named(self) -> dict[str, str]:
        """The parameters by which statements record the operation."""
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
    is_profile_locked: bool = False
    """Whether this transaction has locked the profile against other merges before."""
    operation_id: UUID = field(default_factory=uuid4)
    """The operation that everything merged by this writer belongs to."""

    @classmethod
    def of_turn(cls, conn: Connection, turn: TurnContext, *, source: Source, actor: str, now: datetime) -> Self:
        """The writer of the changes that a message causes; LookupError where it has no author or profile."""
        if turn.author is None or turn.profile_id is None:
            raise LookupError("the consent guard admits no turn without author and profile")
        return cls(
            conn=conn,
            user_id=turn.author,
            profile_id=turn.profile_id,
            source=source,
            actor=actor,
            now=now,
            origin=turn.origin,
            allowed_types=turn.consent.allowed_types,
        )

    @property
    def profile(self) -> ProfileKey:
        """The profile that is written."""
        return ProfileKey(self.user_id, self.profile_id)

    @property
    def timezone(self) -> tzinfo:
        """The time zone of the person; UTC where it is not known."""
        return find_timezone(self.origin.timezone) or UTC

    def begin_operation(self, reason: str) -> AbstractAsyncContextManager[Operation]:
        """Begin a new operation of this actor."""
        return operation(self.conn, actor=self.actor, reason=reason)

    def begin_merge(self, reason: str) -> AbstractAsyncContextManager[Operation]:
        """Begin, or continue, the operation that the merged memories belong to."""
        return operation(self.conn, actor=self.actor, reason=reason, id=self.operation_id)

    def change(self, reason: str, why: str) -> dict[str, Any]:
        """The parameters that every statement of the merge shares; ``why`` is the mechanism that found it."""
        merge = Operation(self.operation_id, self.actor, reason)
        return {**merge.named, "why": why, "user_id": self.user_id, "said_at": self.origin.said_at, "now": self.now}


async def increment_rate(conn: Connection, *, user_id: UUID, now: datetime) -> int:
    """Count one more operation against the person's rate limit; returns the count of this minute."""
    [(_, count)] = await (await increment_rates(conn, {user_id: 1}, now=now)).fetchall()
    return count


async def increment_rates(
    conn: Connection, turns: Mapping[UUID, int], *, now: datetime
) -> AsyncRawCursor[tuple[UUID, int]]:
    """Count the turns of several persons against their rate limits; the counts of this minute are fetched later."""
    params = {"user_ids": list(turns), "turns": list(turns.values())}
    return await _SQL["increment_rates"].send(conn, tuple_row, **params, now=now)
