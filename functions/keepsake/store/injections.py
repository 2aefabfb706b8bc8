"""Reads what a context is built from, and records the injection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import DictRow, args_row, dict_row

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection, queries
from keepsake.store.turns import turn_context

_SQL = queries.load("injections")
_FIELDS = (
    *("takes_part", "shared", "first_message", "has_places", "has_requests", "has_receipts"),
    *("is_read_only", "has_unscreened_edits", "has_rejections", "name", "nickname", "pronouns", "locale"),
)


@dataclass(frozen=True, slots=True)
class InjectionTurn:
    """A message that a context is requested for, its conversation, and how to address its author."""

    turn: TurnContext
    takes_part: bool
    shared: bool
    first_message: bool
    has_places: bool
    has_requests: bool
    """Whether an agent requested something within the last day that only the person may answer."""
    has_receipts: bool
    """Whether something was forgotten as a model read it, and no context has told yet."""
    is_read_only: bool
    """Whether nothing is written: the database accepts no writes now, or the conversation is not saved yet."""
    has_unscreened_edits: bool
    """Whether edits of the person wait for their screening."""
    has_rejections: bool
    """Whether rejected edits wait for a context that mentions them."""
    name: str | None
    nickname: str | None
    pronouns: str | None
    locale: str | None

    @property
    def zone(self) -> tzinfo:
        """The time zone of the author; UTC where it is not known."""
        return find_timezone(self.turn.timezone) or UTC


@dataclass(frozen=True, slots=True)
class RequestedTurn:
    """A message that was asked for; in a pipeline its answer comes with those of the statements after it."""

    cursor: AsyncRawCursor[DictRow]

    async def read(self, assistant_names: tuple[str, ...] = ()) -> InjectionTurn | None:
        """The message, with the names that the settings give the assistant; None where there is none."""
        row = await self.cursor.fetchone()
        if row is None:
            return None
        return InjectionTurn(turn_context(row, assistant_names), **{name: row[name] for name in _FIELDS})


@dataclass(frozen=True, slots=True)
class Injection:
    """The record of a context: ids and numbers, no text."""

    id: UUID
    user_id: UUID
    conversation_id: UUID
    profile_id: UUID | None
    message_id: UUID | None
    memory_ids: Sequence[UUID]
    summary_ids: Sequence[UUID]
    message_ids: Sequence[UUID]
    """The messages that the summaries rest on."""
    memory_count: int
    used_ids: Sequence[UUID]
    token_count: int
    variant: str
    reason: str | None
    vector_outcome: str | None = None
    """Whether the message was compared by its vector, or why not; None where vectors are off."""


@dataclass(frozen=True, slots=True)
class LinkedInjection:
    """An injection that is linked to its answer: what it contained, and how helpful it was."""

    memory_ids: tuple[UUID, ...]
    summary_ids: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    helpfulness: float | None


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """A message of a conversation."""

    id: UUID
    user_id: UUID | None
    role: str
    content: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class History:
    """The newest messages of a conversation, oldest first, and the rolling summary of what came before."""

    messages: Sequence[HistoryMessage]
    summary: str | None


async def is_author(conn: Connection, *, conversation_id: UUID, message_id: UUID, user_id: UUID) -> bool:
    """Whether the person whose transaction this is can see the message and wrote it."""
    params = {"conversation_id": conversation_id, "message_id": message_id, "user_id": user_id}
    return await _SQL["visible_message"].value(conn, **params) is not None


async def request_turn(
    conn: Connection,
    *,
    conversation_id: UUID,
    message_id: UUID | None,
    user_id: UUID | None,
    user_message: str | None,
    now: datetime,
) -> RequestedTurn:
    """Ask for the message with this id, or for the text that will be saved as one."""
    params = {
        "conversation_id": conversation_id,
        "message_id": message_id,
        "user_id": user_id,
        "user_message": user_message,
        "now": now,
    }
    return RequestedTurn(await _SQL["injection_facts"].send(conn, dict_row, **params))


async def record_injection(conn: Connection, injection: Injection, *, now: datetime) -> None:
    """Record an injection and count the use of memories that were asked for; the commit does not wait."""
    params = {
        "id": injection.id,
        "user_id": injection.user_id,
        "conversation_id": injection.conversation_id,
        "profile_id": injection.profile_id,
        "message_id": injection.message_id,
        "memory_ids": _uuid_array(injection.memory_ids),
        "summary_ids": _uuid_array(injection.summary_ids),
        "message_ids": _uuid_array(injection.message_ids),
        "used_ids": _uuid_array(injection.used_ids),
        "token_count": injection.token_count,
        "memory_count": injection.memory_count,
        "variant": injection.variant,
        "reason": injection.reason,
        "vector_outcome": injection.vector_outcome,
        "now": now,
    }
    await _SQL["record_injection"].execute(conn, **params)


def _uuid_array(ids: Iterable[UUID]) -> str:
    """An array of ids as Postgres writes it; psycopg takes longer for a list."""
    return "{" + ",".join(map(str, ids)) + "}"


async def read_history(conn: Connection, *, conversation_id: UUID, limit: int) -> History:
    """The newest messages, oldest first, and the rolling summary, as far as whose transaction this is may read them."""
    row = await _SQL["last_messages"].single(conn, dict_row, conversation_id=conversation_id, limit=limit)
    summary: str | None = None
    if row["may_read_summaries"]:
        summary = await _SQL["rolling_summary"].value(conn, conversation_id=conversation_id)
    return History([_history_message(**message) for message in row["messages"]], summary)


async def is_summary_outdated(conn: Connection, *, conversation_id: UUID) -> bool:
    """Whether the rolling summary rests on something that changed since."""
    return bool(await _SQL["is_marked"].value(conn, conversation_id=conversation_id))


async def link_to_answer(
    conn: Connection, *, injection_id: UUID, message_id: UUID, helpfulness: float | None
) -> LinkedInjection | None:
    """Link an injection to the answer that was made with it; None where the two do not belong together."""
    ids = {"injection_id": injection_id, "message_id": message_id}
    linked = await _SQL["link_to_answer"].one(conn, args_row(_linked), **ids, helpfulness=helpfulness)
    if linked is not None:
        shown = {"memory_ids": list(linked.memory_ids), "summary_ids": list(linked.summary_ids)}
        await _SQL["mark_answer"].execute(conn, **ids, **shown)
    return linked


def _linked(
    memory_ids: Sequence[UUID], summary_ids: Sequence[UUID], message_ids: Sequence[UUID], helpfulness: float | None
) -> LinkedInjection:
    score = None if helpfulness is None else float(helpfulness)
    return LinkedInjection(tuple(memory_ids), tuple(summary_ids), tuple(message_ids), score)


def _history_message(*, id: str, user_id: str | None, role: str, content: str, created_at: str) -> HistoryMessage:
    author = None if user_id is None else UUID(user_id)
    return HistoryMessage(UUID(id), author, role, content, datetime.fromisoformat(created_at))
