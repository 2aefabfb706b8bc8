"""Reads what a person said in a period, as far as it may be told, with their people, plans and corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.compose_sentences import weekday_and_date
from keepsake.domain.summaries.left_out import ForgottenStatement, ForgottenStatements
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.said import SaidMessage, tell
from keepsake.domain.summaries.sources import Background
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import PersonaKey, ProfileKey

_SQL = queries.load("said_messages")
_MAX_MESSAGES, _MAX_LENGTH = 1000, 4000
_TEXT = {Level.DAY: "text_of_day", Level.WEEK: "text_of_week", Level.MONTH: "text_of_month"}
_EVERY_PERSONA: dict[str, Any] = {"persona_id": None, "with_answers": False}


@dataclass(frozen=True, slots=True)
class Span:
    """When a period begins and ends, and the time zones by which its messages are dated."""

    start: datetime
    end: datetime
    history: ZoneHistory

    @property
    def params(self) -> dict[str, datetime]:
        """The two moments, as parameters of a query."""
        return {"start": self.start, "end": self.end}


async def read(conn: Connection, profile: ProfileKey, span: Span) -> list[SaidMessage]:
    """What a person said in a period, oldest first."""
    return await _read(conn, profile, span, **_EVERY_PERSONA)


async def read_with_answers(conn: Connection, persona: PersonaKey, span: Span) -> list[SaidMessage]:
    """What a person said to a persona, each with the end of the answer."""
    profile = ProfileKey(persona.user_id, persona.profile_id)
    return await _read(conn, profile, span, persona_id=persona.persona_id or "", with_answers=True)


async def read_forgotten(conn: Connection, user_id: UUID) -> ForgottenStatements:
    """What a person has forgotten, and of which nothing may be told any more."""
    rows = await _SQL["forgotten"].all(conn, dict_row, user_id=user_id)
    statements = [
        ForgottenStatement(frozenset(row["words"]), frozenset(row["names"]), row["forgotten_at"]) for row in rows
    ]
    return ForgottenStatements(user_id, statements)


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
        query = _SQL[_TEXT[period.level]]
        previous = await query.value(conn, **profile.params, first_date=period.preceding.first)
    return Background(
        previous=previous or "",
        plans=[row["text"] for row in plans if rejection_of_text(row["text"]) is None],
        known=[Citable(row["text"], kind="known", memory_ids=(row["id"],)) for row in people],
    )


async def _read(conn: Connection, profile: ProfileKey, span: Span, **choice: Any) -> list[SaidMessage]:
    params = {**profile.params, **span.params, **choice, "limit": _MAX_MESSAGES, "max_length": _MAX_LENGTH}
    found = await _SQL["said_between"].all(conn, dict_row, **params)
    if not found:
        return []
    messages = [_message(row, span.history) for row in reversed(found)]
    return tell(messages, await read_forgotten(conn, profile.user_id))


def _message(row: dict[str, Any], history: ZoneHistory) -> SaidMessage:
    """The message in a row, with the person's local time."""
    said_at = row["said_at"].astimezone(history.zone_at(row["said_at"]))
    return SaidMessage(**{**row, "said_at": said_at, "memory_ids": tuple(row["memory_ids"])})
