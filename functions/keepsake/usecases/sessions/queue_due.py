"""Queues the sessions that are over and the rolling summaries that are due, one job each; found through an index."""

from __future__ import annotations

from datetime import datetime, timedelta

from keepsake.infra.database import Job
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.resources import Resources
from keepsake.store import sessions
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB
from keepsake.usecases.sessions.summarize_session import SUMMARIZE_SESSION_JOB

_GRACE = timedelta(minutes=10)
"""How long a job may take before the next run queues it again."""


async def queue_due_sessions(resources: Resources, now: datetime) -> None:
    """Queue what is due, at most as many jobs as one run may queue."""
    span = {"now": now, "next_attempt_at": now + _GRACE}
    limit = resources.settings.jobs_per_run
    async with resources.database.as_service() as conn:
        for user_id, session_id in await sessions.claim_due_sessions(conn, **span, limit=limit):
            conn.enqueue_on_commit(
                Job(SUMMARIZE_SESSION_JOB, {"user_id": user_id, "session_id": session_id}, SUMMARY_PRIORITY)
            )
        for user_id, state_id in await sessions.claim_due_states(conn, **span, limit=limit):
            conn.enqueue_on_commit(Job(REFRESH_STATE_JOB, {"user_id": user_id, "state_id": state_id}, SUMMARY_PRIORITY))
