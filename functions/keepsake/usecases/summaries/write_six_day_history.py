"""Writes the history of a person when the day has changed, and again where one of its days has."""

from __future__ import annotations

from datetime import date, datetime

from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.cited import text_of
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.domain.summaries.six_day_history import HistorySources, build_history_prompt, write_history
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import six_day_history
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.row_keys import ProfileKey
from keepsake.store.six_day_history import StoredHistory
from keepsake.store.summaries import Authorship
from keepsake.usecases.summaries.ask_model import ask_about, has_model
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, content_for, record_attempts


async def write_history_of(
    resources: Resources, profile: ProfileKey, today: date, author: Author | None, wait: ModelWait
) -> SummaryAttempt[HistorySources] | None:
    """Write the history that contexts show today; returns the model's attempt, if one was asked."""
    async with resources.database.as_service() as conn:
        sources = await six_day_history.read_sources(conn, profile, today)
        stored = await six_day_history.read_stored(conn, profile, today)
    if _is_current(stored, sources, by_model=has_model(resources, "history") and not sources.is_short):
        return None
    attempt = None
    if sources.days and not sources.is_short:
        prompt = build_history_prompt(sources, author)
        attempt = await ask_about(resources, "history", prompt, sources, user_id=profile.user_id, wait=wait)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, **profile.params)
        await _store(conn, profile, attempt, today=today, now=resources.clock.now())
        await record_attempts(resources, conn, attempt)
    return attempt


def _is_current(stored: StoredHistory | None, sources: HistorySources, *, by_model: bool) -> bool:
    """Whether the newest history stands: it is of these days, or nothing was said since its end."""
    if stored is None:
        return not sources.days
    if stored.end_date < sources.end:
        return bool(sources.days) and sources.days[-1].day <= stored.end_date
    return stored.days_hash == sources.days_hash and (stored.generator == "llm" or not by_model)


async def _store(
    conn: Connection, profile: ProfileKey, attempt: SummaryAttempt[HistorySources] | None, *, today: date, now: datetime
) -> None:
    """Write the text of the model if the days are still the same, else the text of the rules."""
    sources = await six_day_history.read_sources(conn, profile, today)
    if not sources.days:
        await six_day_history.delete(conn, profile, today)
        return
    summary, authorship = write_history(sources), Authorship("rules")
    if (content := content_for(attempt, sources)) is not None:
        summary, authorship = Outline.of_text(text_of(content, "summary")), Authorship("llm", VERSION)
    await six_day_history.write(conn, profile, sources, summary, authorship, now=now)
