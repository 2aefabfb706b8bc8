"""Reads the days that a history is written from, and writes the histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row

from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.six_day_history import HistorySources, PastDay, history_dates
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import Authorship, outlines_of

_SQL = queries.load("six_day_history")


@dataclass(frozen=True, slots=True)
class StoredHistory:
    """A history as it is stored."""

    summary: str
    days_hash: str
    generator: str
    memory_ids: Sequence[UUID]
    end_date: date


async def read_sources(conn: Connection, profile: ProfileKey, today: date) -> HistorySources:
    """The days that the history of today is written from."""
    start, end = history_dates(today)
    days = await _SQL["days"].all(conn, dict_row, **profile.params, end_date=end, start_date=start)
    return HistorySources(start, end, [_past_day(**day) for day in days])


async def read_stored(conn: Connection, profile: ProfileKey, today: date) -> StoredHistory | None:
    """The newest history that contexts show today; None where there is none."""
    return await _SQL["stored"].one(conn, class_row(StoredHistory), **profile.params, end_date=history_dates(today)[1])


async def write(
    conn: Connection,
    profile: ProfileKey,
    sources: HistorySources,
    summary: Outline,
    authorship: Authorship,
    *,
    now: datetime,
) -> None:
    """Write a history, as a new version where there is one."""
    await _SQL["write"].execute(
        conn,
        **profile.params,
        end_date=sources.end,
        **asdict(authorship),
        start_date=sources.start,
        summary=summary.text,
        outlines=outlines_of({"summary": summary} if authorship.generator == "rules" else {}),
        days_hash=sources.days_hash,
        source_ids=[one.id for one in sources.days],
        memory_ids=sources.memory_ids,
        message_ids=sources.message_ids,
        now=now,
    )


async def delete(conn: Connection, profile: ProfileKey, today: date) -> None:
    """Delete the history of today, of whose days nothing is left."""
    await _SQL["delete"].execute(conn, **profile.params, end_date=history_dates(today)[1])


def _past_day(outline: Mapping[str, Any] | None, **columns: Any) -> PastDay:
    return PastDay(**columns, outline=None if outline is None else Outline.read(outline))
