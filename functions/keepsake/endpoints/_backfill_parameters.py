"""Reads the parameters by which a URL asks for a backfill of summaries."""

from __future__ import annotations

from collections.abc import Mapping

from keepsake.contracts.summaries import parse_backfill
from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.errors import InvalidInput
from keepsake.usecases.summaries.generate_summaries import SummaryBackfill


def backfill_of(query: Mapping[str, str]) -> SummaryBackfill | None:
    """What to write again, and whose; None without ``action=backfill``."""
    parsed = parse_backfill(query)
    if parsed.action is None:
        if query:
            raise InvalidInput("Only a backfill has parameters.", details="action: must be backfill")
        return None
    span = BackfillSpan(parsed.year, parsed.month, parsed.week, parsed.date)
    return SummaryBackfill(span, parsed.user_id)
