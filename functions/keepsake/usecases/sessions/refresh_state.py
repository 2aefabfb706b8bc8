"""Writes the rolling summary between a person and a persona again, and every twenty messages a version of the spine.

One transaction, which may be repeated: a version is due by the number of messages since the one before.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.sessions.rules_form import write_rolling_summary
from keepsake.domain.sessions.spine import SPINE_EVERY, write_spine
from keepsake.domain.summaries.local_days import ZoneHistory
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import sessions, spine, summary_schedule
from keepsake.store.locks import lock_out_erasure
from keepsake.store.summaries import Authorship
from keepsake.store.summary_schedule import ProfileKey

REFRESH_STATE_JOB = "refresh_session_state"
"""The name of the job that writes the rolling summary of one persona."""

_LOOKS_BACK = timedelta(days=28)
"""How long ago something may have been said to count as said of late."""


async def refresh_session_state(resources: Resources, *, user_id: UUID, state_id: UUID) -> bool:
    """Write the rolling summary of a persona; False where the state is gone."""
    now = resources.clock.now()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=user_id)
        state = await sessions.lock_state(conn, user_id=user_id, state_id=state_id)
        calendar = await summary_schedule.calendar(conn, (user_id, state.profile_id)) if state else None
        if state is None or calendar is None:
            return False
        sources = await sessions.read_sources(
            conn, state.persona, since=now - _LOOKS_BACK, until=now, history=calendar.history
        )
        await _write_spine(conn, (user_id, state.profile_id), calendar.history, now)
        await sessions.write_rolling_summary(conn, state, write_rolling_summary(sources), sources, now=now)
    return True


async def _write_spine(conn: Connection, profile: ProfileKey, history: ZoneHistory, now: datetime) -> None:
    """Write the next version of the spine, where enough was said since the newest and something holds."""
    since, total = await spine.messages_since(conn, profile)
    if since < SPINE_EVERY:
        return
    written = write_spine(await spine.read_sources(conn, profile, history))
    if any(written.values()):
        await spine.write(conn, profile, written, Authorship("rules"), message_count=total, now=now)
