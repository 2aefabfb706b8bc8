"""The question about a pending operation, which the next context asks the person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from keepsake.domain.commands.replies import asking
from keepsake.domain.memory import Memory, Status
from keepsake.infra.database import Connection
from keepsake.store import memories, pending_operations
from keepsake.store.injections import InjectionTurn
from keepsake.store.pending_operations import PendingOperation


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A pending operation, and the sentence that asks the person about it."""

    pending: PendingOperation
    text: str


async def find_question(conn: Connection, injected: InjectionTurn, now: datetime) -> PendingQuestion | None:
    """The question about the oldest operation that nobody else reads here, and whose memories this persona knows."""
    turn, author = injected.turn, injected.turn.author
    if not injected.has_requests or injected.shared or author is None:
        return None
    unanswered = await pending_operations.find_unanswered(
        conn, user_id=author, conversation_id=turn.conversation_id, now=now
    )
    for pending in unanswered:
        found = await pending_memories(conn, pending, user_id=author)
        if found and all(memory.persona_id in {None, turn.persona_id} for memory in found):
            return PendingQuestion(pending, asking(pending.kind, found))
    return None


async def pending_memories(conn: Connection, pending: PendingOperation, *, user_id: UUID) -> list[Memory]:
    """The memories that the operation would change: active ones to archive, and any not deleted yet to forget."""
    found = await memories.by_id(conn, user_id=user_id, ids=pending.memory_ids)
    is_forget = pending.kind == "agent_forget"
    return [one for one in found if one.status is Status.ACTIVE or (is_forget and one.status is not Status.DELETED)]
