"""Doubts memories that a later text overtook, each under an operation of its own, so that each is taken back alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row

from keepsake.domain.memory import MemoryRef
from keepsake.domain.sessions.outdated import OutdatedMemory
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import operation
from keepsake.store.row_keys import ProfileKey

_SQL = queries.load("outdated")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows that a memory holds no more: the newest message of it, and the memories, by number."""

    memory_no: int
    message_id: UUID | None
    shown_by: Sequence[int]

    @property
    def reason(self) -> str:
        """The reason that the audit log keeps; ``memory_operations`` and explanations find the message by it."""
        shown_by = [*(str(MemoryRef(number)) for number in self.shown_by)]
        shown_by += [f"message {self.message_id}"] if self.message_id else []
        return f"{MemoryRef(self.memory_no)} may no longer hold after what the person said later: {', '.join(shown_by)}"


async def doubt(conn: Connection, profile: ProfileKey, outdated: OutdatedMemory, *, why: str, now: datetime) -> bool:
    """Doubt a memory, where it may be doubted and the person said later what shows it; whether it was.

    The caller has locked the memory and keeps out merges.
    """
    evidence = await _SQL["find_evidence"].one(
        conn,
        class_row(Evidence),
        **profile.params,
        id=outdated.id,
        memory_ids=list(outdated.memory_ids),
        message_ids=list(outdated.message_ids),
    )
    if evidence is None:
        return False
    async with operation(conn, actor="llm", reason=evidence.reason) as change:
        key = {"user_id": profile.user_id, "id": outdated.id}
        await _SQL["doubt"].execute(conn, **change.named, why=why, **key, now=now)
    return True
