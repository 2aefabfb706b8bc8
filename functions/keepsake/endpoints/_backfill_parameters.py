"""Reads the parameters by which a URL asks for a backfill of summaries."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from keepsake.contracts.summaries import parse_query
from keepsake.domain.summaries.backfill import BackfillSpan
from keepsake.errors import InvalidInput


def backfill_of(query: Mapping[str, str]) -> tuple[BackfillSpan | None, UUID | None]:
    """What to write again, and whose; nothing without ``action=backfill``."""
    parsed = parse_query(query)
    if parsed.action is None:
        if query:
            raise InvalidInput("Only a backfill has parameters.", details="action: must be backfill")
        return None, None
    return BackfillSpan(parsed.year, parsed.month, parsed.week, parsed.date), parsed.user_id
