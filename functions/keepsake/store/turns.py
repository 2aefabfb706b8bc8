"""Reads the context of a turn and of its prompt, and the turns that wait for extraction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row

from keepsake.domain.consent.turn_context import Consent, TurnContext
from keepsake.domain.memory import Memory, MemoryType
from keepsake.domain.reading.message import PreviousMessage
from keepsake.domain.screening.screen import replace_mentions, shown_name
from keepsake.domain.text import clean_text
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import TurnKey

_SQL = queries.load("turns")
FINISHED = frozenset({"extracted", "skipped", "quarantined"})
"""The states in which an extraction has ended."""
LOST_TURNS = "lost_turns"
"""The search for turns without an extraction, a little after they were said."""
LATE_TURNS = "late_turns"
"""The search for those that were stored long after their date."""
_EVERY_TYPE = frozenset(MemoryType)
_CONSENT = ("profile_owner", "is_primary", "memory_enabled", "remember_since", "building", "enabled", "erased_before")


@dataclass(frozen=True, slots=True)
class DueTurn:
    """The ids of a turn that is due for extraction; the author is known where the turn has no row yet."""

    conversation_id: UUID
    message_id: UUID
    user_id: UUID | None = None

    @property
    def key(self) -> TurnKey:
        """The message."""
        return TurnKey(self.conversation_id, self.message_id)


@dataclass(frozen=True, slots=True)
class PromptContext:
    """What the prompt contains besides the message."""

    timezone: str | None = None
    birth_chart: Mapping[str, Any] | None = None
    assistant: str | None = None
    injected: Sequence[str] = ()
    known: Sequence[Memory] = ()
    """The memories that the message may be about."""
    names: tuple[str, ...] = ()
    """Name and nickname of the author."""


async def read(
    conn: Connection, *, conversation_id: UUID, message_id: UUID, now: datetime, assistant_names: tuple[str, ...]
) -> TurnContext | None:
    """The context of a saved message, or None where the conversation has no such message."""
    found = await read_all(conn, [DueTurn(conversation_id, message_id)], now=now, assistant_names=assistant_names)
    return found[0] if found else None


async def read_all(
    conn: Connection, due: Sequence[DueTurn], *, now: datetime, assistant_names: tuple[str, ...]
) -> list[TurnContext]:
    """The contexts of those messages that exist; by the assistant's names the guard recognizes commands."""
    keys = {
        "conversation_ids": [turn.conversation_id for turn in due],
        "message_ids": [turn.message_id for turn in due],
    }
    rows = await _SQL["turn_facts"].all(conn, dict_row, **keys, now=now)
    return [turn_context(row, assistant_names) for row in rows]


async def find_unfinished(
    conn: Connection, *, conversation_id: UUID, message_id: UUID, since: datetime, limit: int
) -> list[DueTurn]:
    """The persons' messages up to an answer whose extraction has not ended, newest first."""
    params = {"conversation_id": conversation_id, "message_id": message_id, "since": since, "limit": limit}
    rows = await _SQL["unfinished_before"].all(conn, dict_row, **params)
    return [DueTurn(conversation_id, row["id"], row["user_id"]) for row in rows]


async def find_due(conn: Connection, *, since: datetime, until: datetime, limit: int) -> list[DueTurn]:
    """Turns of that period which have no extraction row, oldest first."""
    params = {"from": since, "until": until, "limit": limit}
    return await _SQL["due_turns"].all(conn, class_row(DueTurn), **params)


async def read_watermark(conn: Connection, name: str) -> datetime | None:
    """The moment up to which a search looked at all turns; None before the first search."""
    return await _SQL["watermark"].value(conn, name=name)


async def read_again_from(conn: Connection, *, earliest: datetime, reached: datetime, limit: int) -> datetime:
    """From when messages are looked at again: ``earliest``, or later where more than ``limit`` came after it."""
    return await _SQL["read_again_from"].value(conn, earliest=earliest, reached=reached, limit=limit)


async def next_message_at(conn: Connection, since: datetime) -> datetime | None:
    """The date of the first message of a person since then; None where there is none."""
    return await _SQL["next_message_at"].value(conn, since=since)


async def move_watermark(conn: Connection, name: str, reached: datetime) -> None:
    """Let the next search go on from here."""
    await _SQL["move_watermark"].execute(conn, name=name, reached=reached)


def turn_context(row: dict[str, Any], assistant_names: tuple[str, ...]) -> TurnContext:
    """The context in a row of ``turn_facts`` or ``injection_facts``, with the assistant's names from the settings."""
    allowed, status = row["allowed_types"], row.get("extraction_status")

    def read(text: str) -> str:
        """A text as it is read: clean, and people mentioned by their names."""
        return replace_mentions(clean_text(text), lambda person: shown_name((row["people"] or {}).get(person)))

    return TurnContext(
        author=row["user_id"],
        profile_id=row["profile_id"],
        conversation_id=row["conversation_id"],
        mode=row["mode"] or "chat",
        persona_id=row["persona_id"],
        message_id=row["message_id"],
        turn_index=row.get("turn_index"),
        role=row["role"],
        text=read(row["content"]),
        said_at=row["said_at"],
        timezone=row["timezone"],
        consent=Consent(
            **{name: row[name] for name in _CONSENT},
            allowed_types=_EVERY_TYPE if allowed is None else frozenset(map(MemoryType, allowed)),
        ),
        is_finished=status in FINISHED if "extraction_status" in row else None,
        previous=tuple(PreviousMessage(role, read(text)) for role, text in row.get("previous") or ()),
        places=tuple((UUID(place), name) for place, name in row.get("places") or ()),
        configured_names=assistant_names,
    )


async def prompt_context(conn: Connection, turn: TurnContext, *, now: datetime) -> PromptContext:
    """What the prompt contains besides the message, and the injected texts that it may not cite."""
    params = {
        "message_id": turn.message_id,
        "conversation_id": turn.conversation_id,
        "profile_id": turn.profile_id,
        "now": now,
    }
    row = await _SQL["prompt_context"].one(conn, dict_row, **params)
    if row is None:
        return PromptContext()
    chart = row["birth_chart"] if isinstance(row["birth_chart"], dict) else None
    names = tuple(filter(None, (row["name"], row["nickname"])))
    return PromptContext(row["timezone"], chart, row["assistant"], tuple(row["injected"]), names=names)
