"""Webhook deliveries already answered: a repeated one gets the first answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from psycopg.types.json import Jsonb

from keepsake.infra.database import Connection, queries

_SQL = queries.load("deliveries")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was noted: the extraction rows that are now queued; ``repeated`` if this delivery came before."""

    status: Literal["accepted", "ignored"]
    reason: str | None = None
    extraction_ids: tuple[UUID, ...] = ()
    repeated: bool = False


async def note(conn: Connection, *, webhook_id: str, status: int, now: datetime) -> bool:
    """Whether this is the delivery's first time; a second waits here until the first has its answer."""
    return await _SQL["claim_delivery"].value(conn, webhook_id=webhook_id, status=status, now=now) is not None


async def keep(conn: Connection, receipt: Receipt, *, webhook_id: str) -> None:
    """Keep the answer of a delivery."""
    ids = [str(row_id) for row_id in receipt.extraction_ids]
    outcome = {"status": receipt.status, "reason": receipt.reason, "extraction_ids": ids}
    await _SQL["store_outcome"].execute(conn, webhook_id=webhook_id, outcome=Jsonb(outcome))


async def first_receipt(conn: Connection, *, webhook_id: str) -> Receipt:
    """The answer a delivery got the first time."""
    outcome = await _SQL["stored_outcome"].value(conn, webhook_id=webhook_id) or {}
    ids = tuple(UUID(row_id) for row_id in outcome.get("extraction_ids", ()))
    return Receipt(outcome.get("status", "accepted"), outcome.get("reason"), ids, repeated=True)
