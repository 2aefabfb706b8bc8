"""The queue of memories without a vector, its leases, and the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.context.similarity_baseline import Calibration
from keepsake.domain.model_availability import EndpointHealth
from keepsake.infra.database import Connection, queries

_SQL = queries.load("embeddings")


@dataclass(frozen=True, slots=True)
class UnembeddedMemory:
    """A memory in the queue; ``text`` is None if it is not active any more.

    ``was_rejected`` says that the endpoint refused the text before.
    """

    user_id: UUID
    memory_id: UUID
    text: str | None
    attempts: int = 1
    was_rejected: bool = False


@dataclass(frozen=True, slots=True)
class EmbeddingLease:
    """Memories leased together until a moment, which distinguishes the lease from later ones."""

    memories: Sequence[UnembeddedMemory]
    until: datetime


async def vectors_available(conn: Connection) -> bool:
    """Whether the database has pgvector."""
    return bool(await _SQL["vectors_available"].value(conn))


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What is stored of a model: the length of its vectors, and whether it was calibrated."""

    dimensions: int | None
    is_calibrated: bool


async def endpoint_health(
    conn: Connection, *, model: str, circuit: str, now: datetime
) -> tuple[EndpointHealth, KnownModel]:
    """The health of the endpoint, its usage today, and what is stored of the model."""
    row = await _SQL["endpoint_health"].single(conn, dict_row, model=model, circuit=circuit, day=_day(now))
    known = KnownModel(row.pop("dimensions"), row.pop("is_calibrated"))
    return EndpointHealth(**row), known


async def requeue_vectors_of_other_models(conn: Connection, *, model: str, limit: int) -> int:
    """Delete up to about ``limit`` vectors of other models, and queue their memories; returns how many."""
    requeued = await _SQL["requeue_vectors_of_other_models"].values(conn, model=model, limit=limit)
    await _SQL["retry_abandoned"].execute(conn, model=model)
    return len(requeued)


async def people_with_unscreened_edits(conn: Connection, *, now: datetime, limit: int) -> list[UUID]:
    """People with an edited memory in the queue that was not screened yet."""
    return await _SQL["people_with_unscreened_edits"].values(conn, now=now, limit=limit)


async def claim(conn: Connection, *, model: str, now: datetime, until: datetime, limit: int) -> EmbeddingLease:
    """Lease the next memories to embed; no other worker gets them before ``until``."""
    rows = await _SQL["claim"].all(conn, dict_row, model=model, now=now, until=until, limit=limit)
    claimed = [
        UnembeddedMemory(
            row["user_id"], row["memory_id"], row["memory_text"], row["attempts"], row["reason"] is not None
        )
        for row in rows
    ]
    return EmbeddingLease(claimed, until)


async def dequeue(conn: Connection, memories: Sequence[UnembeddedMemory]) -> None:
    """Remove memories from the queue that are not active."""
    await _SQL["dequeue"].execute(conn, **_key_params(memories))


async def store_vectors(
    conn: Connection, vectors: Sequence[tuple[UnembeddedMemory, Sequence[float]]], *, model: str, now: datetime
) -> int:
    """Store the vectors of memories whose text has not changed; returns how many."""
    dimensions = len(vectors[0][1])
    await _SQL["record_dimensions"].execute(conn, model=model, dimensions=dimensions, now=now)
    params = _key_params([memory for memory, _ in vectors]) | {
        "model": model,
        "texts": [memory.text for memory, _ in vectors],
        "vectors": [_pgvector_text(vector) for _, vector in vectors],
    }
    return len(await _SQL["store_vectors"].values(conn, **params))


async def record_calibration(conn: Connection, calibration: Calibration, *, model: str) -> None:
    """Record how similar the model finds unrelated texts; only the first measurement counts."""
    params = {"mean": calibration.mean, "deviation": calibration.deviation, "model": model}
    await _SQL["record_calibration"].execute(conn, **params)


async def release(
    conn: Connection, lease: EmbeddingLease, memories: Sequence[UnembeddedMemory], *, until: datetime
) -> None:
    """Release memories that could not be embedded for a reason that is not their text."""
    await _SQL["release"].execute(conn, **_key_params(memories), held_until=lease.until, until=until)


async def postpone_rejected(
    conn: Connection,
    *,
    lease: EmbeddingLease,
    memories: Sequence[UnembeddedMemory],
    reason: str,
    max_attempts: int,
    backoff: timedelta,
    now: datetime,
) -> None:
    """Retry rejected memories later; after ``max_attempts`` attempts never."""
    params = {"held_until": lease.until, "reason": reason, "max_attempts": max_attempts, "backoff": backoff, "now": now}
    await _SQL["postpone_rejected"].execute(conn, **_key_params(memories), **params)


async def record_usage(conn: Connection, *, circuit: str, calls: int, tokens: int, now: datetime) -> None:
    """Count the usage; at the end of a transaction, because all workers update the same row."""
    await _SQL["record_usage"].execute(conn, model=circuit, day=_day(now), calls=calls, tokens=tokens)


def _key_params(memories: Sequence[UnembeddedMemory]) -> dict[str, Any]:
    return {"people": [one.user_id for one in memories], "memories": [one.memory_id for one in memories]}


def _pgvector_text(vector: Sequence[float]) -> str:
    """A vector as pgvector parses it, with the nine digits of a float32."""
    return f"[{','.join(format(part, '.9g') for part in vector)}]"


def _day(now: datetime) -> Any:
    return now.astimezone(UTC).date()
