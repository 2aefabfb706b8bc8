"""Has a model write the summary of a period, before the transaction that stores it."""

from __future__ import annotations

from dataclasses import dataclass

from keepsake.domain.model_availability import RetryAt
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import hash_citable
from keepsake.domain.summaries.model_form import build_prompt, citable_texts, complete_summary
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.periods import Level, bounds
from keepsake.domain.summaries.prompt import VERSION
from keepsake.domain.summaries.rules_form import write_summary
from keepsake.domain.summaries.sources import SummarySources
from keepsake.domain.summaries.summary import Summary
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import summaries, summary_schedule
from keepsake.store.summaries import Authorship, Basis, ProfilePeriod, StoredPeriod
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.summaries.add_transits import add_transits
from keepsake.usecases.summaries.ask_model import acquire_slot, ask_for_summary, budget, has_model
from keepsake.usecases.summaries.summary_attempt import SummaryAttempt, content_for

PeriodAttempt = SummaryAttempt[SummarySources]


@dataclass(frozen=True, slots=True)
class _Begun:
    sources: SummarySources
    author: Author | None
    wait: ModelWait
    slot: ModelSlot | RetryAt | None


def choose_form(
    level: Level, sources: SummarySources, answered: PeriodAttempt | None, budget: int, author: Author | None
) -> tuple[Summary, Basis, Authorship]:
    """The summary of a period, what it was written from, and by what: by the model, if these were its sources."""
    content = content_for(answered, sources)
    if content is not None and answered is not None and answered.prompt is not None:
        prompt = answered.prompt
        basis = Basis(sources, prompt.texts, content, prompt.sources_hash)
        return complete_summary(level, sources, content), basis, Authorship("llm", VERSION)
    summary = write_summary(level, sources, author)
    return summary, Basis(sources, sources_hash=hash_citable(citable_texts(sources, budget))), Authorship("rules")


def is_kept(stored: StoredPeriod | None, sources: SummarySources, budget: int, *, by_model: bool) -> bool:
    """Whether the stored summary stays: it was written from the same texts, and nothing in it was forgotten.

    One that the rules wrote goes with their memories, and waits for a model if there is one.
    """
    if stored is None or stored.has_forgotten or stored.generator == "rules":
        return False
    return by_model and stored.sources_hash == hash_citable(citable_texts(sources, budget))


async def summarize_period_by_model(
    resources: Resources, target: ProfilePeriod, *, is_over: bool
) -> PeriodAttempt | None:
    """What the model of this level makes of a period; None where there is no model, or nothing new to ask."""
    if not has_model(resources, target.period.level):
        return None
    await resources.prepare_reading()
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        begun = await _begin(resources, conn, target, is_over=is_over)
    if begun is None:
        return None
    prompt = build_prompt(target.period, begun.sources, begun.author, budget=budget(resources))
    return await ask_for_summary(resources, begun.slot, prompt, begun.sources, wait=begun.wait)


async def _begin(resources: Resources, conn: Connection, target: ProfilePeriod, *, is_over: bool) -> _Begun | None:
    """Read what the period is written from, and whether the model may be asked."""
    calendar = await summary_schedule.calendar(conn, target.profile)
    wait = await summary_schedule.model_wait(conn, target)
    if calendar is None or wait is None or not calendar.is_enabled:
        return None
    if is_over != (resources.clock.now() >= bounds(calendar.history, target.period)[1]):
        return None
    sources = await summaries.read_sources(conn, target, calendar.history)
    sources = add_transits(sources, calendar, target.period)
    stored = await summaries.read_stored(conn, target)
    if not sources.has_something or is_kept(stored, sources, budget(resources), by_model=True):
        return None
    slot = await acquire_slot(resources, conn, target.period.level, user_id=target.user_id, wait=wait)
    return _Begun(sources, calendar.author, wait, slot)
