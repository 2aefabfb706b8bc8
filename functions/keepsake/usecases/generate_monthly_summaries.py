"""Writes the summaries of the months that are over in their person's time zone."""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.domain.summaries.periods import Level
from keepsake.infra.dependencies import Resources
from keepsake.usecases.summaries.generate_summaries import Backfill, SummaryRun, generate_summaries

__all__ = ["SummaryRun", "generate_monthly_summaries"]


async def generate_monthly_summaries(
    resources: Resources, *, max_seconds: float, backfill: BackfillSpan | None = None, user_id: UUID | None = None
) -> SummaryRun:
    """Write what is due; with ``backfill`` also the months of a past period, of one person or of all."""
    again = Backfill(backfill.periods(Level.MONTH), user_id) if backfill else None
    return await generate_summaries(resources, Level.MONTH, max_seconds=max_seconds, backfill=again)
