"""Writes the summaries of the weeks that are over in their person's time zone."""

from __future__ import annotations

from keepsake.domain.summaries.periods import Level
from keepsake.infra.resources import Resources
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill, SummaryRun, generate_summaries


async def generate_weekly_summaries(
    resources: Resources, *, max_seconds: float, backfill: SummaryBackfill | None = None
) -> SummaryRun:
    """Write what is due; with ``backfill`` also the weeks of a past period, of one person or of all."""
    return await generate_summaries(resources, Level.WEEK, max_seconds=max_seconds, backfill=backfill)
