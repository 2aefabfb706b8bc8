"""Writes the rolling summary between a person and a persona again, and every twenty messages a version of the spine.

One transaction, which may be repeated: a version is due by the number of messages since the one before. A model is
asked first. What it wrote is stored if its sources are still the same, else the rules form is, and waits for the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.context.outline import Outline
from keepsake.domain.sessions.model_form import build_rolling_prompt
from keepsake.domain.sessions.rules_form import write_rolling_summary
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import persona_rolling_summaries, sessions, summary_schedule
from keepsake.store.locks import lock_out_erasure
from keepsake.store.persona_rolling_summaries import PersonaState
from keepsake.store.summaries import Authorship
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.sessions.write_spine import ask_about_spine, write_spine_of
from keepsake.usecases.summaries.ask_model import ask_about
from keepsake.usecases.summaries.summary_attempt import (
    SummaryAttempt,
    content_for,
    latest_retry,
    record_attempts,
    wait_after,
)

REFRESH_STATE_JOB = "refresh_session_state"
"""The name of the job that writes the rolling summary of one persona."""

_LOOKS_BACK = timedelta(days=28)
"""How long ago something may have been said to count as said of late."""


@dataclass(frozen=True, slots=True)
class _Answers:
    """What a model made of the rolling summary and of the spine, if it was asked."""

    rolling: SummaryAttempt[SessionSources] | None = None
    spine: SummaryAttempt[SessionSources] | None = None
    sources: SessionSources | None = None
    """What the rolling summary was to be written from."""


async def refresh_session_state(resources: Resources, *, user_id: UUID, state_id: UUID) -> bool:
    """Write the rolling summary of a persona, if it is due; False where the state is gone.

    It is not due where another job has written it: what that one had from a model stays.
    """
    now = resources.clock.now()
    answers = await _ask(resources, user_id, state_id, now)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        state = await persona_rolling_summaries.lock(conn, user_id=user_id, state_id=state_id)
        calendar = await summary_schedule.calendar(conn, state.profile) if state else None
        if state is not None and calendar is not None and state.refresh_due_at is not None:
            await write_spine_of(conn, state, calendar, answers.spine, now)
            await _write(conn, state, calendar, answers, now)
        await record_attempts(resources, conn, answers.rolling, answers.spine)
    return state is not None and calendar is not None


async def _ask(resources: Resources, user_id: UUID, state_id: UUID, now: datetime) -> _Answers:
    """What the model makes of a state; nothing where there is no model, or nothing to ask."""
    if resources.model is None:
        return _Answers()
    async with resources.database.as_service() as conn:
        state = await persona_rolling_summaries.find(conn, user_id=user_id, state_id=state_id)
        calendar = await summary_schedule.calendar(conn, state.profile) if state else None
        if state is None or calendar is None or state.refresh_due_at is None:
            return _Answers()
        sources = await _read_sources(conn, state, calendar, now)
        wait = await persona_rolling_summaries.model_wait(conn, user_id=user_id, state_id=state_id)
    rolling = None
    if sources.memories or sources.todos:
        prompt = build_rolling_prompt(sources, calendar.shown_name)
        rolling = await ask_about(resources, "rolling", prompt, sources, user_id=user_id, wait=wait)
    return _Answers(rolling, await ask_about_spine(resources, state, calendar, wait), sources)


async def _read_sources(conn: Connection, state: PersonaState, calendar: Calendar, now: datetime) -> SessionSources:
    since = now - _LOOKS_BACK
    return await sessions.read_sources(conn, state.persona, since=since, until=now, history=calendar.history)


async def _write(conn: Connection, state: PersonaState, calendar: Calendar, answers: _Answers, now: datetime) -> None:
    """Write the model's rolling summary if it rests on what is stored now, else that of the rules."""
    sources = await _read_sources(conn, state, calendar, now)
    summary, authorship = write_rolling_summary(sources), Authorship("rules")
    if (content := content_for(answers.rolling, sources)) is not None:
        summary, authorship = Outline.of_text(str(content["rolling_summary"])), Authorship("llm", VERSION)
    retry = latest_retry(answers.rolling, answers.spine)
    is_current = answers.sources is None or answers.sources == sources
    wait, due_at = (wait_after(retry, now), retry.until) if retry else (None, None if is_current else now)
    await persona_rolling_summaries.write_rolling_summary(
        conn, state, summary, sources, authorship, due_at=due_at, now=now
    )
    await persona_rolling_summaries.note_wait(conn, state, wait)
