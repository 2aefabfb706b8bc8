"""Writes the summaries of the days that are over in their person's time zone, and keeps the current day up to date."""

from __future__ import annotations

from time import monotonic
from uuid import UUID

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.domain.summaries.periods import Level
from keepsake.infra.dependencies import Resources
from keepsake.usecases.summaries.generate_summaries import Backfill, SummaryRun, generate_summaries
from keepsake.usecases.summaries.refresh_context import queue_due_contexts

__all__ = ["SummaryRun", "generate_daily_summaries"]


async def generate_daily_summaries(
    resources: Resources, *, max_seconds: float, backfill: BackfillSpan | None = None, user_id: UUID | None = None
) -> SummaryRun:
    """Write what is due; with ``backfill`` also the days of a past period, of one person or of all.

    The days come first: then the histories and merged contexts that are made of them.
    """
    until = monotonic() + max_seconds
    again = Backfill(backfill.periods(Level.DAY), user_id) if backfill else None
    run = await generate_summaries(resources, Level.DAY, max_seconds=max_seconds, backfill=again)
    await queue_due_contexts(resources, max_seconds=max(0.0, until - monotonic()))
    return run
