"""Closes a session that is over and writes its summary: one transaction, which changes nothing if it is repeated.

A model's form goes where ``write_session_summary`` is called: it takes the same sources and gives the same fields.
"""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.sessions.rules_form import write_session_summary
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store import sessions, summary_schedule
from keepsake.store.locks import lock_out_erasure
from keepsake.store.summaries import Authorship

SUMMARIZE_SESSION_JOB = "summarize_session"
"""The name of the job that closes and summarizes one session."""


async def summarize_session(resources: Resources, *, user_id: UUID, session_id: UUID) -> bool:
    """Close and summarize a session; False where it goes on, is summarized already, or is gone."""
    now = resources.clock.now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        session = await sessions.end_session(conn, user_id=user_id, session_id=session_id, now=now)
        if session is None:
            return False
        calendar = await summary_schedule.calendar(conn, (user_id, session.profile_id))
        if calendar is None:
            return False
        sources = await sessions.read_sources(
            conn,
            session.persona,
            since=session.started_at,
            until=session.last_activity_at,
            history=calendar.history,
        )
        summary = write_session_summary(sources)
        await sessions.write_summary(conn, session, summary, sources, Authorship("rules"), now=now)
    return True
