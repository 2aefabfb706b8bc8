"""What an agent asks for that only the person may answer, as the next context asks it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.commands.replies import asking
from keepsake.infra.db import Connection
from keepsake.store import commands, pending_operations
from keepsake.store.commands import Said
from keepsake.store.injections import Asked
from keepsake.store.pending_operations import Pending


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A pending operation, and the sentence that asks the person about it."""

    pending: Pending
    text: str


async def pending_question(conn: Connection, asked: Asked, now: datetime) -> PendingQuestion | None:
    """The oldest operation that may be asked about here: nobody else reads it, and this persona knows its memories."""
    author = asked.facts.author
    if not asked.has_requests or asked.shared or author is None:
        return None
    there = await pending_operations.to_show(conn, user_id=author, conversation_id=asked.conversation_id, now=now)
    for pending in there:
        found = await commands.memories_by_id(conn, user_id=author, ids=pending.memory_ids, active=True)
        if found and all(memory.persona_id in {None, asked.persona_id} for memory in found):
            return PendingQuestion(pending, asking(pending.kind, found))
    return None


async def note_shown(conn: Connection, question: PendingQuestion, asked: Asked) -> None:
    """Note that the context for this message asks: a yes or no in the next one answers it."""
    facts = asked.facts
    if facts.author is not None:
        said = Said(facts.author, asked.conversation_id, asked.message_id, facts.text, facts.said_at)
        await pending_operations.mark_shown(conn, question.pending, said)
