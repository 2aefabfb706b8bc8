"""Queues the summaries of conversations, also of all in which a session has ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from keepsake.infra.database import Connection, Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.store import conversation_summaries
from keepsake.store.sessions import EndedSession

SUMMARIZE_CONVERSATION_JOB = "summarize_conversation"
"""The name of the job that writes the summary of one conversation."""

GRACE = timedelta(minutes=2)
"""How long a job may take before ``run-due-jobs`` queues it again."""


def enqueue_conversation(conn: Connection, conversation_id: UUID) -> None:
    """Queue the summary of a conversation when the transaction commits."""
    conn.enqueue_on_commit(Job(SUMMARIZE_CONVERSATION_JOB, {"conversation_id": conversation_id}, SUMMARY_PRIORITY))


async def enqueue_after_session(conn: Connection, session: EndedSession, now: datetime) -> None:
    """Queue the summaries of the conversations of a session that is over, with whatever was said since the last one."""
    span = {"since": session.started_at, "until": session.last_activity_at}
    conversation_ids = await conversation_summaries.of_session(conn, session.persona, **span)
    marking = await conversation_summaries.mark_due(conn, conversation_ids, turns=1, due_at=now + GRACE)
    for conversation_id in await marking.fetchall():
        enqueue_conversation(conn, conversation_id)
