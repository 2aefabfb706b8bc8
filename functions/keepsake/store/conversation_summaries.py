"""Which summaries of conversations are due, what they are written from, and the stored ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from uuid import UUID

from psycopg import AsyncRawCursor
from psycopg.rows import class_row, dict_row, scalar_row

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.summaries.conversation_rules_form import ConversationSummary
from keepsake.domain.summaries.conversation_sources import ConversationSources, ConversationTurn, StatedMemory
from keepsake.domain.summaries.left_out import ForgottenStatements
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection, queries
from keepsake.store import said_messages
from keepsake.store.row_keys import PersonaKey
from keepsake.store.summaries import Authorship

_SQL = queries.load("conversation_summaries")
MAX_TURNS = 200
"""Messages of a conversation that are looked at, the newest."""
_MAX_LENGTH = 4_000
"""Characters of a message that a summary reads."""

_PENDING_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """A conversation and its stored summary; without one, the texts are None."""

    persona_id: str | None
    is_shared: bool
    is_of_host: bool
    """Whether the host writes the summaries of this conversation itself."""
    summary: str | None = None
    rolling_summary: str | None = None
    source_ids: Sequence[UUID] | None = None
    generator: str | None = None
    version: int | None = None
    messages_covered: int | None = None
    through_message_id: UUID | None = None

    @property
    def is_by_rules(self) -> bool:
        """Whether rules wrote it: a model may replace it without a new turn."""
        return self.generator == "rules"


async def mark_due(
    conn: Connection, conversation_ids: Iterable[UUID], *, turns: int, due_at: datetime
) -> AsyncRawCursor[UUID]:
    """Make the summaries due that do not cover this many turns; the rows are those that were not waiting already."""
    params = {"conversation_ids": sorted(set(conversation_ids)), "turns": turns, "due_at": due_at}
    return await _SQL["mark_due"].send(conn, scalar_row, **params)


async def of_session(conn: Connection, persona: PersonaKey, *, since: datetime, until: datetime) -> list[UUID]:
    """The conversations in which a person spoke with a persona between two moments."""
    return await _SQL["conversations_of_session"].values(conn, **persona.params, since=since, until=until)


async def fold_marks(conn: Connection, *, now: datetime, limit: int) -> None:
    """Remove the summaries that rest on forgotten memories, and make them due."""
    await _SQL["fold_marks"].execute(conn, now=now, limit=limit)


async def claim_due(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[UUID]:
    """The next conversations whose summary is due; the next call takes others until the next attempt."""
    return await _SQL["claim_due"].values(conn, now=now, next_attempt_at=next_attempt_at, limit=limit)


async def postpone(
    conn: Connection, *, conversation_id: UUID, due_at: datetime, waiting: ModelWait | None = None
) -> None:
    """Look at a conversation again at this moment; ``waiting`` if its model form could not be written."""
    params = {"conversation_id": conversation_id, "due_at": due_at, **asdict(waiting or ModelWait())}
    await _SQL["postpone"].execute(conn, **params)


async def model_wait(conn: Connection, *, conversation_id: UUID) -> ModelWait:
    """How long a conversation has waited for the model."""
    found = await _SQL["model_wait"].one(conn, class_row(ModelWait), conversation_id=conversation_id)
    return found or ModelWait()


async def finish(conn: Connection, *, conversation_id: UUID) -> None:
    """Remove a conversation whose summary has been written."""
    await _SQL["finish"].execute(conn, conversation_id=conversation_id)


async def authors(conn: Connection, *, conversation_id: UUID) -> list[UUID]:
    """Who may be remembered in a conversation, by id."""
    return await _SQL["authors"].values(conn, conversation_id=conversation_id)


async def read_stored(conn: Connection, *, conversation_id: UUID) -> StoredSummary | None:
    """A conversation with its stored summary, or None where there is no such conversation."""
    return await _SQL["conversation"].one(conn, class_row(StoredSummary), conversation_id=conversation_id)


async def read_sources(
    conn: Connection, stored: StoredSummary, *, conversation_id: UUID, now: datetime
) -> ConversationSources:
    """The turns that may be summarized now, and the names of those who take part."""
    rows = await _SQL["turns"].all(
        conn,
        dict_row,
        conversation_id=conversation_id,
        persona_id=stored.persona_id,
        is_shared=stored.is_shared,
        summarized_ids=list(stored.source_ids or ()),
        now=now,
        limit=MAX_TURNS,
        max_length=_MAX_LENGTH,
    )
    people = await _SQL["people"].all(conn, dict_row, conversation_id=conversation_id)
    zones = {one["user_id"]: find_timezone(one["timezone"]) or UTC for one in people}
    forgotten = {
        user_id: await said_messages.read_forgotten(conn, user_id) for user_id in {row["user_id"] for row in rows}
    }
    turns = [_turn(row, forgotten[row["user_id"]], zones.get(row["user_id"], UTC)) for row in rows]
    names = {one["user_id"]: one["name"] for one in people}
    return ConversationSources([turn for turn in turns if turn is not None], names, stored.is_shared)


async def has_unfinished_turns(conn: Connection, *, conversation_id: UUID, now: datetime) -> bool:
    """Whether a turn of the last day waits for its extraction."""
    params = {"conversation_id": conversation_id, "since": now - _PENDING_FOR}
    return bool(await _SQL["has_unfinished_turns"].value(conn, **params))


async def write(
    conn: Connection,
    summary: ConversationSummary,
    sources: ConversationSources,
    authorship: Authorship,
    *,
    conversation_id: UUID,
    messages_covered: int,
    replaces: StoredSummary,
    now: datetime,
) -> bool:
    """Write a summary; False where the stored one says the same, or is no longer the one to replace."""
    columns: dict[str, Any] = {
        "summary": summary.summary,
        "rolling_summary": summary.rolling_summary,
        **asdict(authorship),
        "source_ids": sources.message_ids,
        "through_message_id": sources.message_ids[-1],
        "messages_covered": messages_covered,
        "expected_version": replaces.version,
    }
    return await _SQL["write"].value(conn, **columns, conversation_id=conversation_id, now=now) is not None


async def delete(conn: Connection, *, conversation_id: UUID) -> bool:
    """Delete the summary of a conversation without messages that may be summarized; returns whether there was one."""
    return await _SQL["delete"].value(conn, conversation_id=conversation_id) is not None


def _turn(row: dict[str, Any], forgotten: ForgottenStatements, zone: tzinfo) -> ConversationTurn | None:
    """The turn in a row, without the sentences that state what was forgotten; None where nothing is left of it."""
    memories = [
        StatedMemory(
            **{**one, "id": UUID(one["id"]), "type": MemoryType(one["type"]), "subtype": Subtype(one["subtype"])}
        )
        for one in row.pop("memories")
    ]
    is_forgotten = row.pop("is_forgotten")
    text = forgotten.without(row["text"], row["said_at"], is_source=is_forgotten)
    if is_forgotten and not text:
        return None
    return ConversationTurn(
        **{
            **row,
            "text": text,
            "said_at": row["said_at"].astimezone(zone),
            "answer": "" if is_forgotten else row["answer"],
        },
        memories=memories,
    )
