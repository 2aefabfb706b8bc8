"""Queues the summaries of conversations: of those with enough new turns, and of all in which a session has ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.infra.database import Connection, Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.resources import Resources
from keepsake.store import conversation_summaries
from keepsake.store.sessions import EndedSession

SUMMARIZE_CONVERSATION_JOB = "summarize_conversation"
"""The name of the job that writes the summary of one conversation."""

_GRACE = timedelta(minutes=2)
"""How long a job may take before ``run-due-jobs`` queues it again."""


def enqueue_conversation(conn: Connection, conversation_id: UUID) -> None:
    """Queue the summary of a conversation when the transaction commits."""
    conn.enqueue_on_commit(Job(SUMMARIZE_CONVERSATION_JOB, {"conversation_id": conversation_id}, SUMMARY_PRIORITY))


async def enqueue_due_summaries(
    resources: Resources, conn: Connection, conversation_ids: Iterable[UUID], now: datetime
) -> None:
    """Queue the summaries of the conversations that have enough turns since the last one."""
    turns = resources.settings.summary_interval
    await _enqueue(conn, conversation_ids, turns=turns, now=now)


async def enqueue_after_session(conn: Connection, session: EndedSession, now: datetime) -> None:
    """Queue the summaries of the conversations of a session that is over, with whatever was said since the last one."""
    span = {"since": session.started_at, "until": session.last_activity_at}
    await _enqueue(conn, await conversation_summaries.of_session(conn, session.persona, **span), turns=1, now=now)


async def _enqueue(conn: Connection, conversation_ids: Iterable[UUID], *, turns: int, now: datetime) -> None:
    for conversation_id in await conversation_summaries.mark_due(
        conn, conversation_ids, turns=turns, due_at=now + _GRACE
    ):
        enqueue_conversation(conn, conversation_id)
