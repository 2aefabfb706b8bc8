"""Extraction rows: the key that makes a turn be looked at once, and the fence around who looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation
from psycopg.rows import args_row, class_row, tuple_row
from psycopg.types.json import Jsonb

from keepsake.domain.memory import MemoryType
from keepsake.errors import NotFound
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import Stored
from keepsake.store.turns import DueTurn

_SQL = queries.load("extractions")


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to look at one turn, until it goes stale and another takes it."""

    id: UUID
    token: UUID
    attempts: int
    in_minute: int = 1
    """Which of the person's claims in this minute it is."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a claimed turn ended: what it made, what was refused and why."""

    status: str
    reason: str | None = None
    generator: str | None = None
    results: Sequence[Mapping[str, str]] = ()
    dropped: Mapping[str, int] | None = None
    truncated: bool = False
    operation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What became of a turn, with the memories it made that still are there, and how it made each."""

    id: UUID
    status: str
    reason: str | None
    generator: str | None
    memories: Sequence[tuple[Stored, str]]


async def await_one(conn: Connection, turn: DueTurn, *, now: datetime, next_attempt_at: datetime) -> UUID | None:
    """Note that a turn is to be looked at; None where that is noted already."""
    given = {**_turn(turn.conversation_id, turn.message_id, turn.user_id), "now": now}
    row_id: UUID | None = await _SQL["ensure_pending"].value(conn, **given, next_attempt_at=next_attempt_at)
    return row_id


async def claim(
    conn: Connection,
    *,
    conversation_id: UUID,
    message_id: UUID,
    user_id: UUID | None,
    token: UUID,
    now: datetime,
    stale_after: timedelta,
) -> Claim | None:
    """Claim a turn the guard lets through, so that it has an author; None where another holds it or it has ended."""
    given = {
        **_turn(conversation_id, message_id, user_id),
        "token": token,
        "now": now,
        "stale_at": now + stale_after,
        "stale_before": now - stale_after,
    }
    with _while_there():
        row = await _SQL["claim"].one(conn, tuple_row, **given)
    return Claim(row[0], token, *row[1:]) if row else None


async def skip(
    conn: Connection,
    *,
    conversation_id: UUID,
    message_id: UUID,
    user_id: UUID | None,
    reason: str,
    now: datetime,
    stale_after: timedelta,
) -> UUID | None:
    """End a turn by a rule; None where another holds it or it has ended."""
    given = {**_turn(conversation_id, message_id, user_id), "reason": reason, "now": now}
    with _while_there():
        row_id: UUID | None = await _SQL["skip"].value(conn, **given, stale_before=now - stale_after)
    return row_id


async def finish(conn: Connection, claim: Claim, ending: Ending, *, now: datetime) -> bool:
    """End a claimed turn; False where the claim has passed to another."""
    given = {
        "id": claim.id,
        "token": claim.token,
        "status": ending.status,
        "reason": ending.reason,
        "generator": ending.generator,
        "results": Jsonb(list(ending.results)),
        "dropped": Jsonb(dict(ending.dropped or {})),
        "truncated": ending.truncated,
        "operation_id": ending.operation_id,
        "now": now,
    }
    return await _SQL["finish"].value(conn, **given) is not None


async def release(
    conn: Connection, claim: Claim, *, now: datetime, next_attempt_at: datetime, most: int, crashed: bool
) -> None:
    """Give a claim back; once ``most`` attempts have crashed the turn is set aside."""
    given = {"id": claim.id, "token": claim.token, "now": now, "next_attempt_at": next_attempt_at, "most": most}
    await _SQL["release"].execute(conn, **given, crashed=crashed)


async def outcome(conn: Connection, *, conversation_id: UUID, message_id: UUID) -> TurnOutcome | None:
    """What became of a turn, with the memories it made."""
    return await _SQL["outcome"].one(conn, args_row(_outcome), conversation_id=conversation_id, message_id=message_id)


async def take_due(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[DueTurn]:
    """Rows whose next attempt has come; they are put off, so that the next run does not take them too."""
    return await _SQL["claim_due"].all(conn, class_row(DueTurn), now=now, next_attempt_at=next_attempt_at, limit=limit)


async def quarantine_crashed(conn: Connection, *, now: datetime, most: int) -> int:
    """Set aside the turns whose last attempt died without a word; how many."""
    return len(await _SQL["quarantine_crashed"].values(conn, now=now, most=most))


async def uncount(conn: Connection, *, user_id: UUID | None, now: datetime) -> None:
    """Take back that a claim of this minute was counted: nobody looked at its turn."""
    await _SQL["refund_rate"].execute(conn, user_id=user_id, now=now)


async def count_in_minute(conn: Connection, *, user_id: UUID, now: datetime) -> int:
    """Count one extraction more for the person in this minute; how many that makes."""
    return int(await _SQL["increment_rate"].value(conn, user_id=user_id, now=now))


def _outcome(
    row_id: UUID, status: str, reason: str | None, generator: str | None, memories: Sequence[Mapping[str, Any]]
) -> TurnOutcome:
    made = [
        (Stored(UUID(m["id"]), m["memory_no"], MemoryType(m["type"]), m["text"], float(m["confidence"])), m["action"])
        for m in memories
    ]
    return TurnOutcome(row_id, status, reason, generator, made)


def _turn(conversation_id: UUID, message_id: UUID, user_id: UUID | None) -> dict[str, Any]:
    return {"conversation_id": conversation_id, "message_id": message_id, "user_id": user_id}


@contextmanager
def _while_there() -> Iterator[None]:
    """Where the message was deleted since it was read, there is none to look at."""
    try:
        yield
    except ForeignKeyViolation as error:
        raise NotFound("There is no such message.") from error
