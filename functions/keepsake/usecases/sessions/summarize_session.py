"""Closes a session that is over and writes its summary: one transaction, which changes nothing if it is repeated.

A model is asked before; what it wrote of the conversation and the day in the same reply is stored first. What it wrote
of the session is stored if its sources are still the same, else the rules form is, and the session goes on waiting.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from keepsake.domain.sessions.model_form import session_summary_of
from keepsake.domain.sessions.rules_form import write_session_summary
from keepsake.domain.sessions.session_summary import SessionSources, SessionSummary
from keepsake.domain.summaries.citable import memory_ids_of, message_ids_of
from keepsake.domain.summaries.cited import Content, sources_of
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import sessions
from keepsake.store.locks import lock_out_erasure
from keepsake.store.sessions import EndedSession, SessionBasis
from keepsake.store.summaries import Authorship
from keepsake.usecases.sessions.ask_about_session import SessionAttempt, ask_about_session, calendar_of, read_sources
from keepsake.usecases.summaries.queue_conversations import enqueue_after_session
from keepsake.usecases.summaries.summarize_conversation import write_conversation
from keepsake.usecases.summaries.summarize_open_day import write_open_day
from keepsake.usecases.summaries.summary_attempt import content_for, record_attempts, wait_after

SUMMARIZE_SESSION_JOB = "summarize_session"
"""The name of the job that closes and summarizes one session."""


async def summarize_session(resources: Resources, *, user_id: UUID, session_id: UUID) -> bool:
    """Close and summarize a session; False where it goes on, is summarized already, or is gone."""
    now = resources.clock.now()
    replies = await ask_about_session(resources, user_id=user_id, session_id=session_id, now=now)
    answered = replies.session if replies else None
    if replies and replies.conversation_id and replies.conversation:
        min_turns = resources.settings.summary_interval
        await write_conversation(
            resources, replies.conversation, conversation_id=replies.conversation_id, min_turns=min_turns
        )
    if replies and replies.day:
        await write_open_day(resources, *replies.day)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        session = await sessions.end_session(conn, user_id=user_id, session_id=session_id, now=now)
        calendar = await calendar_of(conn, session)
        if session is not None and calendar is not None:
            sources = await read_sources(conn, session, calendar)
            summary, authorship = _choose_form(sources, content_for(answered, sources))
            basis = _basis(sources, content_for(answered, sources))
            await sessions.write_summary(conn, session, summary, basis, authorship, now=now)
            await _finish(conn, session, answered, sources, now)
            await enqueue_after_session(conn, session, now)
        await record_attempts(resources, conn, answered)
    return session is not None and calendar is not None


def _choose_form(sources: SessionSources, content: Content | None) -> tuple[SessionSummary | None, Authorship]:
    if content is None:
        return write_session_summary(sources), Authorship("rules")
    return session_summary_of(content), Authorship("llm", VERSION)


def _basis(sources: SessionSources, content: Content | None) -> SessionBasis:
    """What the summary rests on: all that was said, or what a model cited, and the to-dos."""
    if content is None:
        return SessionBasis(sources.source_ids, sources.message_ids)
    todos = [todo.id for todo in sources.todos]
    return SessionBasis(
        list(dict.fromkeys([*memory_ids_of(sources_of(content)), *todos])), message_ids_of(sources_of(content))
    )


async def _finish(
    conn: Connection, session: EndedSession, answered: SessionAttempt | None, sources: SessionSources, now: datetime
) -> None:
    """Record whether the session still waits for the model."""
    retry = answered.retry if answered else None
    if answered is not None and answered.sources != sources:
        await sessions.wait_for_model(conn, session, due_at=now, wait=ModelWait(waiting_since=now))
    elif retry is not None:
        await sessions.wait_for_model(conn, session, due_at=retry.until, wait=wait_after(retry, now))
    else:
        await sessions.stop_waiting(conn, session)
