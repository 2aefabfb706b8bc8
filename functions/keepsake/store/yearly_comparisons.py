"""Reads the months to compare and the memories behind them, and stores comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from uuid import UUID

from psycopg.rows import dict_row, tuple_row

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.compared_month import MonthInYear, MonthMemory
from keepsake.domain.summaries.comparison import Comparison
from keepsake.domain.summaries.periods import Level, Period, bounds
from keepsake.infra.database import Connection, queries
from keepsake.store import summary_schedule
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import Authorship

_SQL = queries.load("yearly_comparisons")
_MAX_MEMORIES = 30
"""Memories behind each month that are compared."""


async def newest_month(conn: Connection, profile: ProfileKey) -> tuple[int, int] | None:
    """Year and month of the newest stored monthly summary."""
    return await _SQL["newest_month"].one(conn, tuple_row, **profile.params)


async def read_months(conn: Connection, profile: ProfileKey, *, month: int, years: Sequence[int]) -> list[MonthInYear]:
    """The stored summaries of a month in these years, oldest first, with what the memories behind them became.

    They became it before the last of these months ended in the person's time zone.
    """
    calendar = await summary_schedule.calendar(conn, profile)
    if calendar is None:
        return []
    _, until = bounds(calendar.history, Period(Level.MONTH, date(max(years), month, 1)))
    params = {**profile.params, "month": month, "years": list(years)}
    rows = await _SQL["months"].all(conn, dict_row, **params)
    return [
        MonthInYear(**row, memories=await _read_memories(conn, profile.user_id, row["memory_ids"], until))
        for row in rows
    ]


async def _read_memories(
    conn: Connection, user_id: UUID, memory_ids: Sequence[UUID], until: datetime
) -> Sequence[MonthMemory]:
    """The most important of these memories, without those whose words may not be repeated."""
    params = {"user_id": user_id, "memory_ids": list(memory_ids), "until": until, "limit": _MAX_MEMORIES}
    rows = await _SQL["memories"].all(conn, dict_row, **params)
    memories = [
        MonthMemory(**{**row, "type": MemoryType(row["type"]), "subtype": Subtype(row["subtype"])}) for row in rows
    ]
    return [one for one in memories if all(rejection_of_text(text) is None for text in one.texts)]


async def read_stored(
    conn: Connection, profile: ProfileKey, earlier: MonthInYear, later: MonthInYear
) -> tuple[Comparison, Authorship] | None:
    """The stored comparison of two months, and what wrote it."""
    params = {**profile.params, "year": later.year, "month": later.month}
    row = await _SQL["stored"].one(conn, dict_row, **params, source_ids=[earlier.id, later.id])
    if row is None:
        return None
    authorship = Authorship(row.pop("generator"), row.pop("prompt_version"))
    return Comparison(**row), authorship


async def write(
    conn: Connection,
    profile: ProfileKey,
    months: tuple[MonthInYear, MonthInYear],
    comparison: Comparison,
    authorship: Authorship,
    *,
    now: datetime,
) -> bool:
    """Store a comparison of the earlier and the later month; False where one of their summaries has changed."""
    source_ids = [month.id for month in months]
    versions = [month.version for month in months]
    locked = await _SQL["lock_sources"].values(conn, user_id=profile.user_id, source_ids=source_ids, versions=versions)
    if len(locked) != len(months):
        return False
    columns = {**asdict(comparison), **asdict(authorship), "source_ids": source_ids}
    behind = [memory_id for month in months for memory_id in (*month.memory_ids, *month.successor_ids)]
    await _SQL["write"].execute(
        conn,
        **profile.params,
        year=months[1].year,
        month=months[1].month,
        memory_ids=list(dict.fromkeys(behind)),
        message_ids=list(dict.fromkeys(message_id for month in months for message_id in month.message_ids)),
        now=now,
        **columns,
    )
    return True
