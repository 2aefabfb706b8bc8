"""Merges what holds of a person, the current day and the history into one text, ahead of time, by a model.

What was merged before is kept while the hashes of the three are the same, while nothing was said since, and until three
days with messages have passed or one of its facts has changed: contexts show the newer day and history beside it.
Without a model there is no merged context: then a context tells the three one after the other.
"""

from __future__ import annotations

from datetime import date, datetime

from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.merged_context import ContextInputs, build_context_prompt
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import VERSION
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache
from keepsake.store.locks import lock_out_erasure_and_merges
from keepsake.store.merged_context_cache import CacheKey
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.summaries.ask_model import ask_about
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, content_for, record_attempts

_DAYS_BETWEEN = 3
"""Days with messages after which a context is merged anew, though none of its facts has changed."""


async def merge_context(
    resources: Resources, profile: ProfileKey, calendar: Calendar, today: date, wait: ModelWait
) -> tuple[ContextInputs, SummaryAttempt[ContextInputs] | None]:
    """Merge the context of a profile; returns what it was merged from, and the model's attempt, if one was asked."""
    async with resources.database.as_service() as conn:
        inputs = await merged_context_cache.read_inputs(conn, profile, calendar.history, today)
        stored = await merged_context_cache.read_key(conn, profile)
    attempt = None
    if inputs.can_be_merged and not _is_kept(stored, inputs):
        prompt = build_context_prompt(inputs, today, calendar.author)
        attempt = await ask_about(resources, "context", prompt, inputs, user_id=profile.user_id, wait=wait)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_out_erasure_and_merges(conn, **profile.params)
        inputs = await merged_context_cache.read_inputs(conn, profile, calendar.history, today)
        await _store(conn, profile, inputs, content_for(attempt, inputs), today=today, now=resources.clock.now())
        await record_attempts(resources, conn, attempt)
    return inputs, attempt


def _is_kept(stored: CacheKey | None, inputs: ContextInputs) -> bool:
    if stored is None or stored.prompt_version != VERSION:
        return False
    if stored.hashes == inputs.hashes or not inputs.day:
        return True
    return stored.days_since < _DAYS_BETWEEN and not stored.has_other_facts


async def _store(
    conn: Connection, profile: ProfileKey, inputs: ContextInputs, content: Content | None, *, today: date, now: datetime
) -> None:
    """Keep the stored context if its inputs are the same, else write what the model made of them."""
    if inputs.can_be_merged and _is_kept(await merged_context_cache.read_key(conn, profile), inputs):
        await merged_context_cache.keep(conn, profile, today=today)
    elif inputs.can_be_merged and content is not None:
        await merged_context_cache.write(conn, profile, inputs, content, today=today, prompt_version=VERSION, now=now)
    else:
        await merged_context_cache.delete(conn, profile)
