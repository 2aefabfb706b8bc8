"""Writes a version of the spine every twenty messages; the rolling summary follows the conversation's.

One transaction, which may be repeated: a version is due by the number of messages since the one before. A model is
asked first. What it wrote is stored if its sources are still the same, else the rules form is, and waits for the model.
"""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.model_availability import RetryAt
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store import persona_rolling_summaries, summary_schedule
from keepsake.store.locks import lock_out_erasure
from keepsake.usecases.sessions.write_spine import ask_about_spine, lock_outdated, write_spine_of
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, record_attempts, wait_after

REFRESH_STATE_JOB = "refresh_session_state"
"""The name of the job that writes what is due between a person and a persona."""


async def refresh_session_state(resources: Resources, *, user_id: UUID, state_id: UUID) -> bool:
    """Write the spine, if it is due; False where the state is gone.

    It is not due where another job has written it: what that one had from a model stays.
    """
    now = resources.clock.now()
    answered = await _ask(resources, user_id, state_id)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        outdated = await lock_outdated(conn, answered, user_id=user_id, state_id=state_id)
        state = await persona_rolling_summaries.lock(conn, user_id=user_id, state_id=state_id)
        calendar = await summary_schedule.calendar(conn, state.profile) if state else None
        if state is not None and calendar is not None and state.refresh_due_at is not None:
            is_current = await write_spine_of(conn, state, calendar, answered, now, doubted=outdated)
            retry = answered.retry if answered else None
            if retry is None and not is_current:
                retry = RetryAt(now)
            await persona_rolling_summaries.finish(conn, state, due_at=retry.until if retry else None)
            await persona_rolling_summaries.note_wait(conn, state, wait_after(retry, now) if retry else None)
        await record_attempts(resources, conn, answered)
    return state is not None and calendar is not None


async def _ask(resources: Resources, user_id: UUID, state_id: UUID) -> SummaryAttempt[SessionSources] | None:
    """What the model makes of the spine; None where there is no model, or nothing to ask."""
    if resources.model is None:
        return None
    async with resources.database.as_service() as conn:
        state = await persona_rolling_summaries.find(conn, user_id=user_id, state_id=state_id)
        calendar = await summary_schedule.calendar(conn, state.profile) if state else None
    if state is None or calendar is None or state.refresh_due_at is None:
        return None
    return await ask_about_spine(resources, state, calendar)
