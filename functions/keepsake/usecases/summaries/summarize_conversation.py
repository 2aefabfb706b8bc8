"""Writes the summary of a conversation: in one transaction that keeps the erasures of its authors out.

The transaction reads what may be summarized at that moment. So two workers write one summary, and a worker that dies
leaves the conversation waiting.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from keepsake.domain.summaries.conversation_form import write_conversation_summary
from keepsake.domain.summaries.conversation_plan import DeleteSummary, KeepSummary, WriteSummary, plan_summary
from keepsake.domain.summaries.conversation_sources import ConversationSources
from keepsake.errors import NotFound
from keepsake.infra.database import Connection, Job, Profile
from keepsake.infra.resources import Resources
from keepsake.store import conversation_summaries
from keepsake.store.conversation_summaries import StoredSummary
from keepsake.store.locks import lock_out_erasure
from keepsake.store.summaries import Authorship

SUMMARIZE_CONVERSATION_JOB = "summarize_conversation"
"""The name of the job that writes the summary of one conversation."""

_NEXT_LOOK = timedelta(seconds=30)
"""When a conversation is looked at again of which a turn is still being extracted."""


@dataclass(frozen=True, slots=True)
class ConversationRun:
    """What became of the summary of a conversation, and the one that is stored now."""

    status: Literal["written", "unchanged", "deleted"]
    stored: StoredSummary


async def summarize_conversation(resources: Resources, *, conversation_id: UUID, min_turns: int) -> ConversationRun:
    """Write the summary if it does not cover ``min_turns`` turns, or rests on what may not be summarized any more.

    NotFound where there is no such conversation.
    """
    now = await resources.synchronized_now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        for user_id in await conversation_summaries.authors(conn, conversation_id=conversation_id):
            await lock_out_erasure(conn, user_id=user_id)
        stored = await _read_stored(conn, conversation_id)
        sources = await conversation_summaries.read_sources(conn, stored, conversation_id=conversation_id, now=now)
        status = await _carry_out(conn, stored, sources, conversation_id=conversation_id, min_turns=min_turns, now=now)
        await _finish(conn, conversation_id, is_kept=status == "unchanged", now=now)
        return ConversationRun(status, await _read_stored(conn, conversation_id))


def enqueue_conversation(conn: Connection, conversation_id: UUID) -> None:
    """Queue the summary of a conversation when the transaction commits."""
    conn.enqueue_on_commit(Job(SUMMARIZE_CONVERSATION_JOB, {"conversation_id": conversation_id}))


async def _read_stored(conn: Connection, conversation_id: UUID) -> StoredSummary:
    stored = await conversation_summaries.read_stored(conn, conversation_id=conversation_id)
    if stored is None:
        raise NotFound("There is no such conversation.")
    return stored


async def _carry_out(
    conn: Connection,
    stored: StoredSummary,
    sources: ConversationSources,
    *,
    conversation_id: UUID,
    min_turns: int,
    now: datetime,
) -> Literal["written", "unchanged", "deleted"]:
    """Write or delete the summary, as the plan says; one that the host wrote is left as it is."""
    if stored.is_of_host:
        return "unchanged"
    plan = plan_summary(
        sources,
        stored.source_ids,
        messages_covered=stored.messages_covered or 0,
        min_turns=min_turns,
        is_window_full=len(sources.turns) == conversation_summaries.MAX_TURNS,
    )
    match plan:
        case KeepSummary():
            return "unchanged"
        case DeleteSummary():
            await conversation_summaries.delete(conn, conversation_id=conversation_id)
            return "deleted"
        case WriteSummary(covered):
            written = await conversation_summaries.write(
                conn,
                write_conversation_summary(sources),
                sources,
                Authorship("rules"),
                conversation_id=conversation_id,
                messages_covered=covered,
                replaces=stored,
                now=now,
            )
            return "written" if written else "unchanged"


async def _finish(conn: Connection, conversation_id: UUID, *, is_kept: bool, now: datetime) -> None:
    """Let the conversation wait no more; while a turn is being extracted, look at it again."""
    if is_kept and await conversation_summaries.has_unfinished_turns(conn, conversation_id=conversation_id, now=now):
        await conversation_summaries.postpone(conn, conversation_id=conversation_id, due_at=now + _NEXT_LOOK)
    else:
        await conversation_summaries.finish(conn, conversation_id=conversation_id)
