"""Reads stored summaries as texts for a context; one that rests on a forgotten memory is left out."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from keepsake.domain.summaries.periods import Level
from keepsake.infra.database import Connection, queries
from keepsake.store.summaries import ProfilePeriod

_SQL = queries.load("summary_texts")
_READ = {Level.DAY: "day_text", Level.WEEK: "week_text", Level.MONTH: "month_text"}


async def read(conn: Connection, target: ProfilePeriod) -> list[str]:
    """The texts of the summary of a period: how the person felt, and what happened; none where there is none."""
    texts: list[str] | None = await _SQL[_READ[target.period.level]].value(conn, **target.params)
    return texts or []


async def newest_week(conn: Connection, *, user_id: UUID, profile_id: UUID, since: date) -> str | None:
    """The newest weekly summary of a profile that ended since this date."""
    text: str | None = await _SQL["newest_week_text"].value(conn, user_id=user_id, profile_id=profile_id, since=since)
    return text
