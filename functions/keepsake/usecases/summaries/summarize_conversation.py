"""Writes the summary of a conversation: in one transaction that keeps the erasures of its authors out.

The transaction reads what may be summarized at that moment. So two workers write one summary, and a worker that dies
leaves the conversation waiting. A model is asked before; what it wrote is stored if its sources are still the same,
else the rules form is, and the conversation goes on waiting.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.conversation_plan import DeleteSummary, KeepSummary, WriteSummary
from keepsake.domain.summaries.conversation_prompt import summary_of
from keepsake.domain.summaries.conversation_rules_form import count_messages, write_conversation_summary
from keepsake.domain.summaries.conversation_sources import ConversationSources
from keepsake.domain.summaries.prompt import VERSION
from keepsake.errors import NotFound
from keepsake.infra.database import Connection, Profile
from keepsake.infra.readers import Readers
from keepsake.infra.resources import Resources
from keepsake.store import conversation_summaries, persona_rolling_summaries
from keepsake.store.conversation_summaries import StoredSummary
from keepsake.store.locks import lock_out_erasure
from keepsake.store.summaries import Authorship
from keepsake.usecases.summaries.summarize_conversation_by_model import (
    ConversationAttempt,
    plan_of,
    summarize_conversation_by_model,
)
from keepsake.usecases.summaries.summary_attempt import content_for, record_attempts, wait_after

_NEXT_LOOK = timedelta(seconds=30)
"""How long a conversation waits where one of its turns is still being extracted."""

Status = Literal["written", "unchanged", "deleted"]


@dataclass(frozen=True, slots=True)
class ConversationRun:
    """What became of the summary of a conversation, and the one that is stored now."""

    status: Status
    stored: StoredSummary


async def summarize_conversation(
    resources: Resources, *, conversation_id: UUID, min_turns: int | None = None
) -> ConversationRun:
    """Write the summary if it does not cover ``min_turns`` turns, or rests on what may not be summarized any more.

    The turns are SUMMARY_INTERVAL by default. NotFound where there is no such conversation.
    """
    min_turns = min_turns or resources.settings.summary_interval
    await resources.synchronized_now()
    await resources.prepare_reading()
    answered = await summarize_conversation_by_model(resources, conversation_id=conversation_id, min_turns=min_turns)
    return await write_conversation(resources, answered, conversation_id=conversation_id, min_turns=min_turns)


async def write_conversation(
    resources: Resources, answered: ConversationAttempt | None, *, conversation_id: UUID, min_turns: int
) -> ConversationRun:
    """Write the summary in the words of the model, where it has answered about what may be summarized now."""
    now = resources.clock.now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        for user_id in await conversation_summaries.authors(conn, conversation_id=conversation_id):
            await lock_out_erasure(conn, user_id=user_id)
        stored = await _read_stored(conn, conversation_id)
        sources = await conversation_summaries.read_sources(conn, stored, conversation_id=conversation_id, now=now)
        content = content_for(answered, sources)
        writing = _Writing(resources.readers, conn, conversation_id, stored, sources, content, now)
        status = await writing.carry_out(min_turns)
        await _finish(conn, conversation_id, answered, sources, is_kept=status == "unchanged", now=now)
        await record_attempts(resources, conn, answered)
        return ConversationRun(status, await _read_stored(conn, conversation_id))


async def _read_stored(conn: Connection, conversation_id: UUID) -> StoredSummary:
    stored = await conversation_summaries.read_stored(conn, conversation_id=conversation_id)
    if stored is None:
        raise NotFound("There is no such conversation.")
    return stored


@dataclass(frozen=True, slots=True)
class _Writing:
    """One writing of the summary of a conversation, with what a model made of the same sources."""

    readers: Readers
    conn: Connection
    conversation_id: UUID
    stored: StoredSummary
    sources: ConversationSources
    content: Content | None
    now: datetime

    async def carry_out(self, min_turns: int) -> Status:
        """Write or delete the summary, as the plan says; one that the host wrote is left as it is."""
        stored, sources = self.stored, self.sources
        if stored.is_of_host:
            return "unchanged"
        covered = stored.messages_covered or 0
        match plan_of(stored, sources, min_turns, self.now):
            case DeleteSummary():
                await conversation_summaries.delete(self.conn, conversation_id=self.conversation_id)
                return "deleted"
            case WriteSummary(messages_covered):
                return await self._write(messages_covered)
            case KeepSummary() if self.content is not None and stored.is_by_rules:
                return await self._write(covered + len(set(sources.message_ids) - set(stored.source_ids or ())))
            case KeepSummary():
                return "unchanged"

    async def _write(self, messages_covered: int) -> Status:
        if self.content is None:
            counts, authorship = count_messages(self.sources), Authorship("rules")
            summary = await self.readers.run_or(counts, write_conversation_summary, self.sources)
        else:
            summary, authorship = summary_of(self.content), Authorship("llm", VERSION)
        written = await conversation_summaries.write(
            self.conn,
            summary,
            self.sources,
            authorship,
            conversation_id=self.conversation_id,
            messages_covered=messages_covered,
            replaces=self.stored,
            now=self.now,
        )
        if written and not self.stored.is_shared:
            await persona_rolling_summaries.follow_conversation(
                self.conn,
                self.sources,
                summary,
                authorship,
                conversation_id=self.conversation_id,
                now=self.now,
            )
        return "written" if written else "unchanged"


async def _finish(
    conn: Connection,
    conversation_id: UUID,
    answered: ConversationAttempt | None,
    sources: ConversationSources,
    *,
    is_kept: bool,
    now: datetime,
) -> None:
    """Remove the conversation from the waiting ones, unless the model is asked again or a turn is not extracted yet."""
    retry = answered.retry if answered else None
    if answered is not None and answered.sources != sources:
        await conversation_summaries.postpone(conn, conversation_id=conversation_id, due_at=now + _NEXT_LOOK)
    elif retry is not None:
        wait = wait_after(retry, now)
        await conversation_summaries.postpone(conn, conversation_id=conversation_id, due_at=retry.until, waiting=wait)
    elif is_kept and await conversation_summaries.has_unfinished_turns(conn, conversation_id=conversation_id, now=now):
        await conversation_summaries.postpone(conn, conversation_id=conversation_id, due_at=now + _NEXT_LOOK)
    else:
        await conversation_summaries.finish(conn, conversation_id=conversation_id)
