"""Reads stored summaries as texts for a context; one that rests on a forgotten memory is left out."""

from __future__ import annotations

from datetime import datetime

from keepsake.domain.summaries.periods import Level
from keepsake.infra.database import Connection, queries
from keepsake.store.summaries import ProfilePeriod
from keepsake.store.todos import PersonaKey

_SQL = queries.load("summary_texts")
_READ = {Level.DAY: "day_text", Level.WEEK: "week_text", Level.MONTH: "month_text"}


async def read(conn: Connection, target: ProfilePeriod) -> list[str]:
    """The texts of the summary of a period: how the person felt, and what happened; none where there is none."""
    texts: list[str] | None = await _SQL[_READ[target.period.level]].value(conn, **target.params)
    return texts or []


async def session_lines(conn: Connection, persona: PersonaKey, *, start: datetime, end: datetime) -> list[str]:
    """What the newest sessions with a persona that ended in a period were about."""
    return await _SQL["session_lines"].values(conn, **persona.params, start=start, end=end)
