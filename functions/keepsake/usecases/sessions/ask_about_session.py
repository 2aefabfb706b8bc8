"""Has a model write the notes of a session that is over, with the summaries of its conversation and day where due.

All are written from nearly the same messages, so one call has them. They are stored one after the other: of a worker
that dies between them the first ones are written, and the others are asked about by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.sessions.model_form import build_session_prompt
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.sessions.with_conversation import join_prompts, split_parts
from keepsake.domain.summaries.local_days import local_date
from keepsake.domain.summaries.periods import Level, Period
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import conversation_summaries, period_background, said_messages, sessions, summary_schedule
from keepsake.store.said_messages import Span
from keepsake.store.sessions import EndedSession
from keepsake.store.summaries import ProfilePeriod
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.ask_model import ask_about, budget, has_model
from keepsake.usecases.summaries.summarize_conversation_by_model import (
    ConversationAttempt,
    ConversationRequest,
    find_request,
)
from keepsake.usecases.summaries.summarize_open_day import DayRequest, find_open_day
from keepsake.usecases.summaries.summarize_period_by_model import PeriodAttempt
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt

SessionAttempt = SummaryAttempt[SessionSources]
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class AnsweredSession:
    """What a model made of a session, and of the conversation that was asked about in the same call."""

    session: SessionAttempt | None
    conversation_id: UUID | None = None
    conversation: ConversationAttempt | None = None
    day: tuple[ProfilePeriod, PeriodAttempt] | None = None


async def ask_about_session(
    resources: Resources, *, user_id: UUID, session_id: UUID, now: datetime
) -> AnsweredSession | None:
    """What the model makes of a session that is over; None where there is no model, or nothing to ask."""
    if not has_model(resources, "session"):
        return None
    await resources.prepare_reading()
    async with resources.database.as_service() as conn:
        session = await sessions.find_due_session(conn, user_id=user_id, session_id=session_id, now=now)
        calendar = await calendar_of(conn, session)
        if session is None or calendar is None:
            return None
        sources = await read_sources(conn, session, calendar)
        wait = await sessions.model_wait(conn, user_id=user_id, session_id=session_id)
        conversation_id, request = await _find_conversation(resources, conn, session)
        day = await _find_day(resources, conn, session, calendar) if request else None
    if not sources.has_something:
        return None
    prompt = build_session_prompt(sources, calendar.author, budget=budget(resources))
    joined = join_prompts(prompt, request.prompt, day.prompt if day else None) if request else None
    attempt = await ask_about(resources, "session", joined or prompt, sources, user_id=user_id, wait=wait)
    if attempt is None or attempt.content is None or joined is None or request is None:
        return AnsweredSession(attempt)
    parts = split_parts(attempt.content)  # the call is counted with the session
    return AnsweredSession(
        replace(attempt, content=parts.session),
        conversation_id,
        SummaryAttempt(request.sources, parts.conversation) if parts.conversation else None,
        (day.target, SummaryAttempt(day.sources, parts.day, prompt=day.prompt)) if day and parts.day else None,
    )


async def _find_day(
    resources: Resources, conn: Connection, session: EndedSession, calendar: Calendar
) -> DayRequest | None:
    """What is to be asked about the day on which the session took place; None where another model writes it."""
    model = resources.settings.summary_model
    if model("session") != model(Level.DAY):
        return None
    day = local_date(calendar.history, session.last_activity_at)
    return await find_open_day(resources, conn, ProfilePeriod(*session.profile, Period(Level.DAY, day)), calendar)


async def _find_conversation(
    resources: Resources, conn: Connection, session: EndedSession
) -> tuple[UUID | None, ConversationRequest | None]:
    """The conversation in which the session took place, and what is to be asked about it.

    Nothing where there were several, where others read it, or where another model writes it.
    """
    span = {"since": session.started_at, "until": session.last_activity_at}
    found = await conversation_summaries.of_session(conn, session.persona, **span)
    model = resources.settings.summary_model
    if len(found) != 1 or model("session") != model("conversation"):
        return None, None
    min_turns = resources.settings.summary_interval
    request = await find_request(resources, conn, conversation_id=found[0], min_turns=min_turns)
    return (found[0], request) if request and not request.sources.is_shared else (None, None)


async def calendar_of(conn: Connection, session: EndedSession | None) -> Calendar | None:
    """The calendar of the person whose session it is."""
    return None if session is None else await summary_schedule.calendar(conn, session.profile)


async def read_sources(conn: Connection, session: EndedSession, calendar: Calendar) -> SessionSources:
    """What the summary of a session is written from."""
    span = {"since": session.started_at, "until": session.last_activity_at}
    read = await sessions.read_sources(conn, session.persona, **span, history=calendar.history)
    said = Span(session.started_at, session.last_activity_at + _MOMENT, calendar.history)
    messages = await said_messages.read_with_answers(conn, session.persona, said)
    background = await period_background.read_background(conn, session.profile, said)
    return replace(read, messages=messages, background=background)
