"""The outcomes of webhook deliveries: a repeated delivery gets the outcome of the first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from keepsake.infra.database import Connection, queries

_SQL = queries.load("webhook_deliveries")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a delivery: the queued extractions; ``repeated`` if the delivery was processed before.

    ``reason`` says why nothing was queued, or why what is queued makes no memory.
    """

    status: Literal["accepted", "ignored"]
    reason: str | None = None
    extraction_ids: tuple[UUID, ...] = ()
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class DeliveredMessage:
    """The role, the author and the beginning of the message that a delivery names, and what was done about it."""

    role: str
    user_id: UUID | None
    content: str
    is_repeated: bool
    """Whether the delivery was claimed before."""
    is_queued: bool
    """Whether the pending turn was inserted now."""
    is_before_consent: bool
    """Whether it is never read, as it was said before its author's consent, or before an erasure."""


async def note_message(
    conn: Connection,
    receipt: Receipt,
    *,
    conversation_id: UUID,
    message_id: UUID,
    webhook_id: str | None,
    status: int,
    now: datetime,
    next_attempt_at: datetime,
) -> DeliveredMessage | None:
    """Claim a delivery and insert the pending turn of its message under the id in ``receipt``; None without a message.

    A second delivery under the same id waits until the first has committed.
    """
    (extraction_id,) = receipt.extraction_ids
    return await _SQL["note_message"].one(
        conn,
        class_row(DeliveredMessage),
        conversation_id=conversation_id,
        message_id=message_id,
        extraction_id=extraction_id,
        webhook_id=webhook_id,
        status=status,
        outcome=_outcome(receipt),
        now=now,
        next_attempt_at=next_attempt_at,
    )


async def store_outcome(conn: Connection, receipt: Receipt, *, webhook_id: str) -> None:
    """Store the outcome of a delivery."""
    await _SQL["store_outcome"].execute(conn, webhook_id=webhook_id, outcome=_outcome(receipt))


async def stored_outcome(conn: Connection, *, webhook_id: str) -> Receipt | None:
    """The outcome of a delivery that was claimed before; None of one that was not."""
    outcome = await _SQL["stored_outcome"].value(conn, webhook_id=webhook_id)
    if outcome is None:
        return None
    ids = tuple(UUID(row_id) for row_id in outcome.get("extraction_ids", ()))
    return Receipt(outcome.get("status", "accepted"), outcome.get("reason"), ids, repeated=True)


def _outcome(receipt: Receipt) -> Jsonb:
    ids = [str(row_id) for row_id in receipt.extraction_ids]
    return Jsonb({"status": receipt.status, "reason": receipt.reason, "extraction_ids": ids})
