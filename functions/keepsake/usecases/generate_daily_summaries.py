"""Writes the summaries of the days that are over in their person's time zone, and keeps the current day up to date."""

from __future__ import annotations

from time import monotonic

from keepsake.domain.summaries.periods import Level
from keepsake.infra.resources import Resources
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill, SummaryRun, generate_summaries
from keepsake.usecases.summaries.refresh_context import queue_due_contexts


async def generate_daily_summaries(
    resources: Resources, *, max_seconds: float, backfill: SummaryBackfill | None = None
) -> SummaryRun:
    """Write what is due; with ``backfill`` also the days of a past period, of one person or of all.

    The days come first: then the histories and merged contexts that are made of them.
    """
    until = monotonic() + max_seconds
    run = await generate_summaries(resources, Level.DAY, max_seconds=max_seconds, backfill=backfill)
    await queue_due_contexts(resources, max_seconds=max(0.0, until - monotonic()))
    return run
