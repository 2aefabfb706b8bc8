"""Reads what summaries are written from, and writes the summaries of days, weeks and months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.periods import Level, Period, bounds, weeks_of_month
from keepsake.domain.summaries.sources import SourceMemory, SourceText, SummarySources, WeekInMonth
from keepsake.domain.summaries.summary import Outlines, Summary
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey

_SQL = queries.load("summaries")
_WRITE = {Level.DAY: "write_day", Level.WEEK: "write_week", Level.MONTH: "write_month"}
_DELETE = {Level.DAY: "delete_day", Level.WEEK: "delete_week", Level.MONTH: "delete_month"}


@dataclass(frozen=True, slots=True)
class ProfilePeriod:
    """A period of a profile."""

    user_id: UUID
    profile_id: UUID
    period: Period

    @property
    def profile(self) -> ProfileKey:
        """The profile."""
        return ProfileKey(self.user_id, self.profile_id)

    @property
    def params(self) -> dict[str, Any]:
        """The profile and the first date, as parameters of a query."""
        return {**self.profile.params, "first_date": self.period.first}


@dataclass(frozen=True, slots=True)
class Authorship:
    """What wrote a summary."""

    generator: str
    prompt_version: str | None = None


async def read_sources(
    conn: Connection, target: ProfilePeriod, history: ZoneHistory, *, with_texts: bool = False
) -> SummarySources:
    """What the summary of a period is written from, nothing where it was forgotten; a month also has its weeks.

    ``with_texts`` adds what only a model reads: summaries of conversations (of a month those of its last week, while it
    has no summary), and of days for a week without any.
    """
    if await _SQL["is_forgotten"].value(conn, **target.params, kind=target.period.level.value):
        return SummarySources()
    start, end = bounds(history, target.period)
    span = {**target.profile.params, "start": start, "end": end}
    found = await _SQL["memories_of_period"].all(conn, dict_row, **span)
    read = [_source(row, history) for row in filter(_may_be_summarized, found)]
    weeks = await _weeks(conn, target)
    conversations: Sequence[SourceText] = ()
    days: Sequence[SourceText] = ()
    if with_texts and (read_from := _conversations_period(target.period, weeks)) is not None:
        start, end = bounds(history, read_from)
        between = {"start": start, "end": end}
        conversations = await _SQL["conversations"].all(conn, class_row(SourceText), **span | between)
        if not conversations and target.period.level is Level.WEEK:
            days = await _SQL["days"].all(conn, class_row(SourceText), **target.params)
    return SummarySources(
        begun=[one for one in read if one.ended is None],
        ended=[one for one in read if one.ended is not None],
        weeks=weeks,
        conversations=conversations,
        days=days,
    )


async def write(
    conn: Connection,
    target: ProfilePeriod,
    summary: Summary,
    sources: SummarySources,
    authorship: Authorship,
    *,
    now: datetime,
) -> bool:
    """Write a summary; False where the stored one says the same."""
    columns: dict[str, Any] = {
        **{column.name: getattr(summary, column.name) for column in fields(summary)},
        **asdict(authorship),
        "outlines": outlines_of(summary.outlines),
        "conversation_count": sources.conversation_count,
        "source_ids": sources.source_ids,
        "memory_ids": sources.memory_ids,
    }
    if target.period.level is Level.MONTH:
        columns["weekly_summaries_used"] = len(sources.weeks)
        for name in ("dominant_transits", "planetary_influences"):
            columns[name] = None if columns[name] is None else Jsonb(columns[name])
    written = await _SQL[_WRITE[target.period.level]].value(conn, **target.params, **columns, now=now)
    return written is not None


def outlines_of(outlines: Outlines) -> Jsonb:
    """Outlines in the form in which they are stored."""
    return Jsonb({name: outline.stored for name, outline in outlines.items()})


async def has_day_of_model(conn: Connection, target: ProfilePeriod, sources: SummarySources) -> bool:
    """Whether the stored summary of a day was written by a model from just these sources."""
    return bool(await _SQL["has_day_of_model"].value(conn, **target.params, source_ids=sources.source_ids))


async def delete(conn: Connection, target: ProfilePeriod) -> bool:
    """Delete the summary of a period that has no sources any more; returns whether there was one."""
    return await _SQL[_DELETE[target.period.level]].value(conn, **target.params) is not None


def _conversations_period(period: Period, weeks: Sequence[WeekInMonth]) -> Period | None:
    """The period whose conversations a summary reads: of a month its last week, unless that has a summary."""
    if period.level is not Level.MONTH:
        return period
    *_, last = weeks_of_month(period)
    return None if any(week.first == last.first for week in weeks) else last


async def _weeks(conn: Connection, target: ProfilePeriod) -> Sequence[WeekInMonth]:
    if target.period.level is not Level.MONTH:
        return ()
    first_dates = [week.first for week in weeks_of_month(target.period)]
    return await _SQL["weeks"].all(conn, class_row(WeekInMonth), **target.profile.params, first_dates=first_dates)


def _may_be_summarized(row: dict[str, Any]) -> bool:
    """Whether a summary may mention a memory: one that its person edited since the last screening is screened here.

    A rejected edit is undone later; then its periods are summarized again.
    """
    texts = (row["text"], row["replaced_text"])
    return not row.pop("is_unscreened") or all(rejection_of_text(text) is None for text in texts if text)


def _source(row: dict[str, Any], history: ZoneHistory) -> SourceMemory:
    day: date = local_date(history, row.pop("moment"))
    del row["memory_no"]
    ended = day if row.pop("has_ended") else None
    columns = {**row, "type": MemoryType(row["type"]), "subtype": Subtype(row["subtype"])}
    return SourceMemory(**{**columns, "entity_refs": tuple(row["entity_refs"])}, day=day, ended=ended)
