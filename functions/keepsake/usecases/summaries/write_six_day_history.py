"""Writes the history of a person when the day has changed, and again where one of its days has."""

from __future__ import annotations

from datetime import date, datetime

from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.domain.summaries.six_day_history import HistorySources, build_history_prompt, write_history
from keepsake.infra.database import Connection, Profile
from keepsake.infra.dependencies import Resources
from keepsake.store import six_day_history
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.six_day_history import StoredHistory
from keepsake.store.summaries import Authorship
from keepsake.store.summary_schedule import ProfileKey
from keepsake.usecases.summaries.ask_model import SummaryAttempt, ask_about, record_attempt


async def write_history_of(
    resources: Resources, profile: ProfileKey, today: date, shown_name: str | None, wait: ModelWait
) -> SummaryAttempt | None:
    """Write the history that is told today; what came of asking a model, if one was asked."""
    has_model = resources.model is not None and resources.settings.summary_model("history") is not None
    async with resources.database.as_service() as conn:
        sources_before = await six_day_history.read_sources(conn, profile, today)
        stored = await six_day_history.read_stored(conn, profile, today)
    if _is_current(stored, sources_before, has_model=has_model):
        return None
    attempt = None
    if sources_before.days:
        prompt = build_history_prompt(sources_before, shown_name)
        attempt = await ask_about(resources, "history", prompt, user_id=profile[0], wait=wait)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, user_id=profile[0], profile_id=profile[1])
        await _store(conn, profile, sources_before, attempt, today=today, now=resources.clock.now())
        await record_attempt(resources, conn, attempt)
    return attempt


def _is_current(stored: StoredHistory | None, sources: HistorySources, *, has_model: bool) -> bool:
    if stored is None:
        return not sources.days
    return stored.days_hash == sources.days_hash and (stored.generator == "llm" or not has_model)


async def _store(
    conn: Connection,
    profile: ProfileKey,
    sources_before: HistorySources,
    attempt: SummaryAttempt | None,
    *,
    today: date,
    now: datetime,
) -> None:
    """Write the model's text if the days are still the same, else that of the rules."""
    sources = await six_day_history.read_sources(conn, profile, today)
    if not sources.days:
        await six_day_history.delete(conn, profile, today)
        return
    summary, authorship = write_history(sources), Authorship("rules")
    if attempt is not None and attempt.content is not None and sources == sources_before:
        summary, authorship = Outline.of_text(str(attempt.content["summary"])), Authorship("llm", VERSION)
    await six_day_history.write(conn, profile, sources, summary, authorship, now=now)
