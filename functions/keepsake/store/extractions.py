"""Extraction rows: the key that makes a turn be looked at once, and the fence around who looks at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from keepsake.errors import NotFound
from keepsake.infra.database import Connection, queries
from keepsake.store.turns import DueTurn, Turn

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


async def await_one(conn: Connection, turn: DueTurn, *, now: datetime, next_attempt_at: datetime) -> UUID | None:
    """Note that a turn is to be looked at; None where that is noted already."""
    given = {**_turn(turn.conversation_id, turn.message_id, turn.user_id), "now": now}
    return await _id(conn, "await_extraction", {**given, "next_attempt_at": next_attempt_at})


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
        row = await (await conn.execute(_SQL["claim"].sql, given)).fetchone()
    return Claim(row["id"], token, row["attempts"], row["in_minute"]) if row else None


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
        return await _id(conn, "skip", {**given, "stale_before": now - stale_after})


async def hold(conn: Connection, claim: Claim, turn: Turn) -> bool:
    """Whether the claim still stands; it then does, and what its author chose too, until this transaction ends."""
    given = {
        "id": claim.id,
        "token": claim.token,
        "conversation_id": turn.conversation_id,
        "user_id": turn.facts.author,
    }
    return await _id(conn, "hold_turn", given) is not None


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
    return await _id(conn, "finish", given) is not None


async def release(
    conn: Connection, claim: Claim, *, now: datetime, next_attempt_at: datetime, most: int, crashed: bool
) -> None:
    """Give a claim back; once ``most`` attempts have crashed the turn is set aside."""
    given = {"id": claim.id, "token": claim.token, "now": now, "next_attempt_at": next_attempt_at, "most": most}
    await conn.execute(_SQL["release"].sql, given | {"crashed": crashed})


async def outcome(conn: Connection, *, conversation_id: UUID, message_id: UUID) -> dict[str, Any] | None:
    """What became of a turn, with the memories it made."""
    ids = {"conversation_id": conversation_id, "message_id": message_id}
    return await (await conn.execute(_SQL["outcome"].sql, ids)).fetchone()


async def take_due(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[DueTurn]:
    """Rows whose next attempt has come; they are put off, so that the next run does not take them too."""
    given = {"now": now, "next_attempt_at": next_attempt_at, "limit": limit}
    rows = await (await conn.execute(_SQL["take_due"].sql, given)).fetchall()
    return [DueTurn(row["conversation_id"], row["message_id"]) for row in rows]


async def quarantine_crashed(conn: Connection, *, now: datetime, most: int) -> int:
    """Set aside the turns whose last attempt died without a word; how many."""
    given = {"now": now, "most": most}
    return len(await (await conn.execute(_SQL["quarantine_crashed"].sql, given)).fetchall())


async def uncount(conn: Connection, *, user_id: UUID | None, now: datetime) -> None:
    """Take back that a claim of this minute was counted: nobody looked at its turn."""
    await conn.execute(_SQL["uncount"].sql, {"user_id": user_id, "now": now})


async def count_in_minute(conn: Connection, *, user_id: UUID, now: datetime) -> int:
    """Count one extraction more for the person in this minute; how many that makes."""
    row = await (await conn.execute(_SQL["count_in_minute"].sql, {"user_id": user_id, "now": now})).fetchone()
    return int(row["value"]) if row else 0


async def _id(conn: Connection, query: str, given: Mapping[str, Any]) -> UUID | None:
    row = await (await conn.execute(_SQL[query].sql, given)).fetchone()
    return row["id"] if row else None


def _turn(conversation_id: UUID, message_id: UUID, user_id: UUID | None) -> dict[str, Any]:
    return {"conversation_id": conversation_id, "message_id": message_id, "user_id": user_id}


@contextmanager
def _while_there() -> Iterator[None]:
    """Where the message was deleted since it was read, there is none to look at."""
    try:
        yield
    except ForeignKeyViolation as error:
        raise NotFound("There is no such message.") from error
