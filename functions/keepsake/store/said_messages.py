"""Reads what a person said in a period, as far as a summary may be written from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.screening.screen import replace_mentions, shown_name
from keepsake.domain.summaries.left_out import ForgottenStatement, ForgottenStatements
from keepsake.domain.summaries.local_days import ZoneHistory
from keepsake.domain.summaries.said import SaidMessage, readable, tellable
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import PersonaKey, ProfileKey

_SQL = queries.load("said_messages")
_MAX_MESSAGES, _MAX_LENGTH = 1000, 4000
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
    """What a person said in a period, oldest first; whether each is readable is asked where it is shown."""
    return await _read(conn, profile, span, **_EVERY_PERSONA)


async def read_with_answers(conn: Connection, persona: PersonaKey, span: Span) -> list[SaidMessage]:
    """What a person said to a persona, each with the end of the answer."""
    profile = ProfileKey(persona.user_id, persona.profile_id)
    return readable(await _read(conn, profile, span, persona_id=persona.persona_id or "", with_answers=True))


async def read_forgotten(conn: Connection, user_id: UUID) -> ForgottenStatements:
    """What a person has forgotten, and of which nothing may be told any more."""
    rows = await _SQL["forgotten"].all(conn, dict_row, user_id=user_id)
    statements = [
        ForgottenStatement(frozenset(row["words"]), frozenset(row["names"]), row["forgotten_at"]) for row in rows
    ]
    return ForgottenStatements(user_id, statements)


async def _read(conn: Connection, profile: ProfileKey, span: Span, **choice: Any) -> list[SaidMessage]:
    params = {**profile.params, **span.params, **choice, "limit": _MAX_MESSAGES, "max_length": _MAX_LENGTH}
    found = await _SQL["said_between"].all(conn, dict_row, **params)
    if not found:
        return []
    messages = [_message(row, span.history) for row in reversed(found)]
    return tellable(messages, await read_forgotten(conn, profile.user_id))


def _message(row: dict[str, Any], history: ZoneHistory) -> SaidMessage:
    """The message in a row, with the person's local time, and people mentioned by their names."""
    said_at, people = row["said_at"].astimezone(history.zone_at(row["said_at"])), row.pop("people") or {}
    text = replace_mentions(row["text"], lambda person: shown_name(people.get(person)))
    return SaidMessage(**{**row, "text": text, "said_at": said_at, "memory_ids": tuple(row["memory_ids"])})
