"""Writes what the current day of a person has been about so far; when it is over, its summary takes the place."""

from __future__ import annotations

from keepsake.domain.summaries.periods import bounds
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store import summaries, summary_schedule
from keepsake.store.locks import lock_out_erasure, lock_profile
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.summaries.ask_about_period import ask_about_period, choose_form
from keepsake.usecases.summaries.ask_model import SummaryAttempt, record_attempt


async def summarize_open_day(resources: Resources, target: ProfilePeriod) -> SummaryAttempt | None:
    """Write the day so far; what came of asking a model, if one was asked."""
    answered = await ask_about_period(resources, target, is_over=False)
    now = resources.clock.now()
    has_model = resources.model is not None and resources.settings.summary_model(target.period.level) is not None
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure(conn, user_id=target.user_id)
        await lock_profile(conn, user_id=target.user_id, profile_id=target.profile_id)
        calendar = await summary_schedule.calendar(conn, (target.user_id, target.profile_id))
        if calendar is not None and calendar.is_enabled and now < bounds(calendar.history, target.period)[1]:
            sources = await summaries.read_sources(conn, target, calendar.history, with_texts=has_model)
            if not sources.has_memories:
                await summaries.delete(conn, target)
            elif not (has_model and await summaries.has_day_of_model(conn, target, sources)):
                await summaries.write(conn, target, *choose_form(target.period.level, sources, answered), now=now)
        await record_attempt(resources, conn, answered.attempt if answered else None)
    return answered.attempt if answered else None
