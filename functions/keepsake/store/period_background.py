"""Reads what belongs to a period beside its messages: people, plans, corrections, and the texts beneath and before."""

from __future__ import annotations

from psycopg.rows import dict_row

from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.compose_sentences import weekday_and_date
from keepsake.domain.summaries.local_days import local_date
from keepsake.domain.summaries.periods import Period
from keepsake.domain.summaries.sources import Background
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey
from keepsake.store.said_messages import Span

_SQL = queries.load("period_background")


async def read_corrections(conn: Connection, profile: ProfileKey, span: Span) -> list[Citable]:
    """What the person has put right of what they said in a period."""
    rows = await _SQL["corrections"].all(conn, dict_row, **profile.params, **span.params)
    return [
        Citable(
            row["text"],
            kind="corrected",
            on=local_date(span.history, row["said_at"]),
            message_ids=(row["message_id"],),
            memory_ids=(row["id"],),
            row_id=row["id"],
        )
        for row in rows
    ]


async def read_sessions(conn: Connection, profile: ProfileKey, span: Span) -> list[Citable]:
    """The summaries of the sessions that ended in a period."""
    rows = await _SQL["sessions_between"].all(conn, dict_row, **profile.params, **span.params)
    return [
        Citable(
            row["text"],
            day=weekday_and_date(day := local_date(span.history, row["said_at"])),
            on=day,
            kind="session",
            message_ids=tuple(row["message_ids"]),
            memory_ids=tuple(row["memory_ids"]),
            row_id=row["row_id"],
        )
        for row in rows
    ]


async def read_background(
    conn: Connection, profile: ProfileKey, span: Span, period: Period | None = None
) -> Background:
    """Known people, plans that were open, and the text of the period before."""
    people = await _SQL["known_people"].all(conn, dict_row, **profile.params, end=span.end)
    plans = await _SQL["open_plans"].all(conn, dict_row, **profile.params, start=span.start)
    previous = None
    if period is not None:
        before = {**profile.params, "level": period.level.value, "first_date": period.preceding.first}
        previous = await _SQL["text_of_period"].value(conn, **before)
    return Background(
        previous=previous or "",
        plans=[row["text"] for row in plans if rejection_of_text(row["text"]) is None],
        known=[Citable(row["text"], kind="known", memory_ids=(row["id"],)) for row in people],
    )
