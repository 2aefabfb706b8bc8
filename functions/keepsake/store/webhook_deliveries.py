"""The outcomes of webhook deliveries: a repeated delivery gets the outcome of the first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from keepsake.infra.database import Connection, queries

_SQL = queries.load("webhook_deliveries")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of a delivery: the queued extractions; ``repeated`` if the delivery was processed before."""

    status: Literal["accepted", "ignored"]
    reason: str | None = None
    extraction_ids: tuple[UUID, ...] = ()
    repeated: bool = False


async def claim_delivery(conn: Connection, *, webhook_id: str, status: int, now: datetime) -> bool:
    """Claim a delivery; False if it was claimed before. A second call waits until the first has committed."""
    return await _SQL["claim_delivery"].value(conn, webhook_id=webhook_id, status=status, now=now) is not None


async def store_outcome(conn: Connection, receipt: Receipt, *, webhook_id: str) -> None:
    """Store the outcome of a delivery."""
    ids = [str(row_id) for row_id in receipt.extraction_ids]
    outcome = {"status": receipt.status, "reason": receipt.reason, "extraction_ids": ids}
    await _SQL["store_outcome"].execute(conn, webhook_id=webhook_id, outcome=Jsonb(outcome))


async def stored_outcome(conn: Connection, *, webhook_id: str) -> Receipt:
    """The outcome of a delivery that was claimed before."""
    outcome = await _SQL["stored_outcome"].value(conn, webhook_id=webhook_id) or {}
    ids = tuple(UUID(row_id) for row_id in outcome.get("extraction_ids", ()))
    return Receipt(outcome.get("status", "accepted"), outcome.get("reason"), ids, repeated=True)
