"""Reads what summaries are written from, and writes the summaries of days, weeks and months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.citable import Citable, memory_ids_of, message_ids_of
from keepsake.domain.summaries.cited import Content, sources_of
from keepsake.domain.summaries.compose_sentences import full_date
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.periods import Level, Period, bounds, weeks_of_month
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import Outlines, Summary
from keepsake.infra.database import Connection, queries
from keepsake.store import period_background, said_messages
from keepsake.store.row_keys import ProfileKey
from keepsake.store.said_messages import Span

_SQL = queries.load("summaries")
_WRITE = {Level.DAY: "write_day", Level.WEEK: "write_week", Level.MONTH: "write_month"}


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

    @property
    def level_params(self) -> dict[str, Any]:
        """The same with the level, for what is asked of every level alike."""
        return {**self.params, "level": self.period.level.value}


@dataclass(frozen=True, slots=True)
class Authorship:
    """What wrote a summary."""

    generator: str
    prompt_version: str | None = None


async def read_sources(conn: Connection, target: ProfilePeriod, history: ZoneHistory) -> SummarySources:
    """What the summary of a period is written from; nothing where it was forgotten."""
    if await _SQL["is_forgotten"].value(conn, **target.params, kind=target.period.level.value):
        return SummarySources()
    start, end = bounds(history, target.period)
    span = Span(start, end, history)
    found = await _SQL["memories_of_period"].all(conn, dict_row, **target.profile.params, **span.params)
    read = [_source(row, history) for row in filter(_may_be_summarized, found)]
    messages = await said_messages.read(conn, target.profile, span)
    sources = SummarySources(
        begun=[one for one in read if one.ended is None],
        ended=[one for one in read if one.ended is not None],
        said=messages,
    )
    if not sources.has_something:
        return sources
    return replace(
        sources,
        corrections=await period_background.read_corrections(conn, target.profile, span),
        beneath=await _beneath(conn, target, span),
        background=await period_background.read_background(conn, target.profile, span, target.period),
    )


@dataclass(frozen=True, slots=True)
class StoredPeriod:
    """What is known of a stored summary: who wrote it, from what, and whether something in it was forgotten since."""

    generator: str
    prompt_version: str | None
    sources_hash: str | None
    has_forgotten: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """What a summary was written from: what the rules read, or the texts of a prompt, and what of it is cited."""

    sources: SummarySources
    texts: Sequence[Citable] = ()
    content: Content | None = None
    sources_hash: str | None = None

    @property
    def columns(self) -> dict[str, Any]:
        """The columns that say so."""
        if self.content is None:
            ids = {"memory_ids": self.sources.memory_ids, "message_ids": self.sources.message_ids}
            return {**ids, "source_ids": self.sources.source_ids, "sources_hash": self.sources_hash}
        return {
            "memory_ids": memory_ids_of(sources_of(self.content)),
            "message_ids": message_ids_of(sources_of(self.content)),
            "source_ids": list(dict.fromkeys(filter(None, (one.source_id for one in self.texts)))),
            "sources_hash": self.sources_hash,
        }

    @property
    def week_count(self) -> int:
        """The number of weekly summaries that it was written from."""
        return sum(one.kind == "week" for one in self.texts)


async def read_stored(conn: Connection, target: ProfilePeriod) -> StoredPeriod | None:
    """What is known of the stored summary of a period; None where there is none."""
    return await _SQL["stored"].one(conn, class_row(StoredPeriod), **target.level_params)


async def write(
    conn: Connection,
    target: ProfilePeriod,
    summary: Summary,
    basis: Basis,
    authorship: Authorship,
    *,
    now: datetime,
) -> bool:
    """Write a summary; False where the stored one says the same."""
    columns: dict[str, Any] = {
        **{column.name: getattr(summary, column.name) for column in fields(summary)},
        **asdict(authorship),
        **basis.columns,
        "outlines": outlines_of(summary.outlines),
        "conversation_count": basis.sources.conversation_count,
    }
    if target.period.level is Level.MONTH:
        columns["weekly_summaries_used"] = basis.week_count
        for name in ("dominant_transits", "planetary_influences"):
            columns[name] = None if columns[name] is None else Jsonb(columns[name])
    written = await _SQL[_WRITE[target.period.level]].value(conn, **target.params, **columns, now=now)
    return written is not None


def outlines_of(outlines: Outlines) -> Jsonb:
    """Outlines in the form in which they are stored."""
    return Jsonb({name: outline.stored for name, outline in outlines.items()})


async def delete(conn: Connection, target: ProfilePeriod) -> bool:
    """Delete the summary of a period that has no sources any more; returns whether there was one."""
    return await _SQL["delete"].value(conn, **target.level_params) is not None


async def _beneath(conn: Connection, target: ProfilePeriod, span: Span) -> Sequence[Citable]:
    """The summaries that lie beneath that of a period: of a month its weeks, else the sessions."""
    if target.period.level is not Level.MONTH:
        return await period_background.read_sessions(conn, target.profile, span)
    first_dates = [week.first for week in weeks_of_month(target.period)]
    rows = await _SQL["weeks"].all(conn, dict_row, **target.profile.params, first_dates=first_dates)
    return [
        Citable(
            row["text"],
            day=f"week from {full_date(row['first'])}",
            on=row["first"],
            kind="week",
            message_ids=tuple(row["message_ids"]),
            memory_ids=tuple(row["memory_ids"]),
            row_id=row["id"],
        )
        for row in rows
    ]


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
