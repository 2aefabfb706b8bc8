"""Extraction rows: the idempotency key of a turn, its claim, and its result."""

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

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import MemoryType
from keepsake.domain.model_availability import RetryAt
from keepsake.errors import NotFound
from keepsake.infra.database import Connection, queries
from keepsake.store.memories import StoredMemory
from keepsake.store.row_keys import TurnKey
from keepsake.store.turns import DueTurn

_SQL = queries.load("extractions")


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to process one turn until the claim is stale; the token fences late writes."""

    user_id: UUID
    id: UUID
    token: UUID
    attempts: int


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """The result of a claimed turn: the memories, and the number of dropped candidates by reason."""

    status: str
    reason: str | None = None
    generator: str | None = None
    model: str | None = None
    """The model that read the turn, with the version of its prompt."""
    results: Sequence[Mapping[str, str]] = ()
    dropped: Mapping[str, int] | None = None
    truncated: bool = False
    operation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The recorded result of a turn, with its memories that still exist and the action for each."""

    id: UUID
    status: str
    reason: str | None
    generator: str | None
    memories: Sequence[tuple[StoredMemory, str]]


async def ensure_pending(conn: Connection, turn: DueTurn, *, now: datetime, next_attempt_at: datetime) -> UUID | None:
    """Insert a pending turn; None where it exists already (idempotency key: author and message)."""
    ids = {**turn.key.params, "user_id": turn.user_id}
    return await _SQL["ensure_pending"].value(conn, **ids, now=now, next_attempt_at=next_attempt_at)


async def claim(
    conn: Connection, key: TurnKey, *, user_id: UUID, token: UUID, now: datetime, stale_after: timedelta
) -> Claim | None:
    """Claim a turn that passed the consent guard; None where it is claimed by another worker or finished."""
    stale = {"stale_at": now + stale_after, "stale_before": now - stale_after}
    with _not_found_if_deleted():
        row = await _SQL["claim"].one(conn, tuple_row, **key.params, user_id=user_id, token=token, now=now, **stale)
    return Claim(user_id, row[0], token, row[1]) if row else None


async def claim_several(
    conn: Connection, turns: Sequence[TurnContext], *, token: UUID, now: datetime, stale_after: timedelta
) -> dict[UUID, Claim]:
    """Claim those turns that nobody has attempted and nobody holds; their claims by message."""
    keys = {
        "user_ids": [turn.author for turn in turns],
        "message_ids": [turn.message_id for turn in turns],
    }
    rows = await _SQL["claim_several"].all(conn, tuple_row, **keys, token=token, now=now, stale_at=now + stale_after)
    return {message_id: Claim(user_id, row_id, token, 1) for user_id, row_id, message_id, _ in rows}


async def skip(
    conn: Connection, key: TurnKey, *, user_id: UUID, reason: str, now: datetime, stale_after: timedelta
) -> UUID | None:
    """Skip a turn for a reason of the consent guard; None where it is claimed or finished."""
    params = {**key.params, "user_id": user_id, "reason": reason, "now": now, "stale_before": now - stale_after}
    with _not_found_if_deleted():
        row_id: UUID | None = await _SQL["skip"].value(conn, **params)
    return row_id


async def finish(conn: Connection, ends: Sequence[tuple[Claim, ExtractionResult]], *, now: datetime) -> None:
    """Finish claimed turns; one whose claim is not valid any more stays as it is."""
    results = [result for _, result in ends]
    await _SQL["finish"].execute(
        conn,
        user_ids=[claim.user_id for claim, _ in ends],
        ids=[claim.id for claim, _ in ends],
        tokens=[claim.token for claim, _ in ends],
        statuses=[result.status for result in results],
        reasons=[result.reason for result in results],
        generators=[result.generator for result in results],
        models=[result.model for result in results],
        results=[Jsonb(list(result.results)) for result in results],
        dropped=[Jsonb(dict(result.dropped or {})) for result in results],
        truncated=[result.truncated for result in results],
        operation_ids=[result.operation_id for result in results],
        now=now,
    )


async def release(
    conn: Connection, claim: Claim, *, now: datetime, next_attempt_at: datetime, max_attempts: int, crashed: bool
) -> None:
    """Release a claim and requeue its turn, or quarantine it once ``max_attempts`` attempts have crashed."""
    params = {
        "user_id": claim.user_id,
        "id": claim.id,
        "token": claim.token,
        "now": now,
        "next_attempt_at": next_attempt_at,
    }
    await _SQL["release"].execute(conn, **params, max_attempts=max_attempts, crashed=crashed)


async def requeue(conn: Connection, claim: Claim, wait: RetryAt, *, now: datetime) -> bool:
    """Release the claim and requeue the turn until the model may be called; False where the claim is not valid."""
    params = {
        "user_id": claim.user_id,
        "extraction_id": claim.id,
        "token": claim.token,
        "failures": wait.failures,
        "bad_replies": wait.bad_replies,
        "until": wait.until,
        "now": now,
    }
    return await _SQL["requeue"].value(conn, **params) is not None


async def find_result(conn: Connection, key: TurnKey) -> TurnResult | None:
    """The recorded result of a turn, with its memories."""
    return await _SQL["outcome"].one(conn, args_row(_result), **key.params)


async def claim_due(conn: Connection, *, now: datetime, next_attempt_at: datetime, limit: int) -> list[DueTurn]:
    """The turns whose next attempt is due; they are postponed, so that the next run does not take them too."""
    return await _SQL["claim_due"].all(conn, class_row(DueTurn), now=now, next_attempt_at=next_attempt_at, limit=limit)


async def quarantine_crashed(conn: Connection, *, now: datetime, max_attempts: int) -> int:
    """Quarantine the turns whose last attempt died without releasing its claim; returns how many."""
    return len(await _SQL["quarantine_crashed"].values(conn, now=now, max_attempts=max_attempts))


def _result(
    row_id: UUID, status: str, reason: str | None, generator: str | None, memories: Sequence[Mapping[str, Any]]
) -> TurnResult:
    stored = [
        (
            StoredMemory(UUID(m["id"]), m["memory_no"], MemoryType(m["type"]), m["text"], float(m["confidence"])),
            m["action"],
        )
        for m in memories
    ]
    return TurnResult(row_id, status, reason, generator, stored)


@contextmanager
def _not_found_if_deleted() -> Iterator[None]:
    """Raise NotFound where the message was deleted since it was read."""
    try:
        yield
    except ForeignKeyViolation as error:
        raise NotFound("There is no such message.") from error
