"""Closes a session that is over and writes its summary: one transaction, which changes nothing if it is repeated.

A model is asked before. What it wrote is stored if its sources are still the same, else the rules form is, and the
session goes on waiting for the model.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.sessions.model_form import build_session_prompt, session_summary_of
from keepsake.domain.sessions.rules_form import write_session_summary
from keepsake.domain.sessions.session_summary import SessionSources, SessionSummary
from keepsake.domain.summaries.citable import memory_ids_of, message_ids_of
from keepsake.domain.summaries.cited import Content, sources_of
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import period_background, said_messages, sessions, summary_schedule
from keepsake.store.locks import lock_out_erasure
from keepsake.store.said_messages import Span
from keepsake.store.sessions import EndedSession, SessionBasis
from keepsake.store.summaries import Authorship
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.ask_model import ask_about, budget, has_model
from keepsake.usecases.summaries.queue_conversations import enqueue_after_session
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, content_for, record_attempts, wait_after

_Answer = SummaryAttempt[SessionSources]

SUMMARIZE_SESSION_JOB = "summarize_session"
"""The name of the job that closes and summarizes one session."""

_MOMENT = timedelta(microseconds=1)


async def summarize_session(resources: Resources, *, user_id: UUID, session_id: UUID) -> bool:
    """Close and summarize a session; False where it goes on, is summarized already, or is gone."""
    now = resources.clock.now()
    answered = await _ask(resources, user_id, session_id, now)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        session = await sessions.end_session(conn, user_id=user_id, session_id=session_id, now=now)
        calendar = await _calendar(conn, session)
        if session is not None and calendar is not None:
            sources = await _read_sources(conn, session, calendar)
            summary, authorship = _choose_form(sources, content_for(answered, sources))
            basis = _basis(sources, content_for(answered, sources))
            await sessions.write_summary(conn, session, summary, basis, authorship, now=now)
            await _finish(conn, session, answered, sources, now)
            await enqueue_after_session(conn, session, now)
        await record_attempts(resources, conn, answered)
    return session is not None and calendar is not None


async def _ask(resources: Resources, user_id: UUID, session_id: UUID, now: datetime) -> _Answer | None:
    """What the model makes of a session that is over; None where there is no model, or nothing to ask."""
    if not has_model(resources, "session"):
        return None
    async with resources.database.as_service() as conn:
        session = await sessions.find_due_session(conn, user_id=user_id, session_id=session_id, now=now)
        calendar = await _calendar(conn, session)
        if session is None or calendar is None:
            return None
        sources = await _read_sources(conn, session, calendar)
        wait = await sessions.model_wait(conn, user_id=user_id, session_id=session_id)
    if not sources.has_something:
        return None
    prompt = build_session_prompt(sources, calendar.shown_name, budget=budget(resources))
    return await ask_about(resources, "session", prompt, sources, user_id=user_id, wait=wait)


async def _calendar(conn: Connection, session: EndedSession | None) -> Calendar | None:
    return None if session is None else await summary_schedule.calendar(conn, session.profile)


async def _read_sources(conn: Connection, session: EndedSession, calendar: Calendar) -> SessionSources:
    span = {"since": session.started_at, "until": session.last_activity_at}
    read = await sessions.read_sources(conn, session.persona, **span, history=calendar.history)
    said = Span(session.started_at, session.last_activity_at + _MOMENT, calendar.history)
    messages = await said_messages.read_with_answers(conn, session.persona, said)
    background = await period_background.read_background(conn, session.profile, said)
    return replace(read, messages=messages, background=background)


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
    conn: Connection, session: EndedSession, answered: _Answer | None, sources: SessionSources, now: datetime
) -> None:
    """Record whether the session still waits for the model."""
    retry = answered.retry if answered else None
    if answered is not None and answered.sources != sources:
        await sessions.wait_for_model(conn, session, due_at=now, wait=ModelWait(waiting_since=now))
    elif retry is not None:
        await sessions.wait_for_model(conn, session, due_at=retry.until, wait=wait_after(retry, now))
    else:
        await sessions.stop_waiting(conn, session)
