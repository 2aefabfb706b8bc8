"""Which memories have no vector yet, who embeds them, and the vectors themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.availability import EndpointHealth
from keepsake.infra.database import Connection, queries

_SQL = queries.load("vectors")


@dataclass(frozen=True, slots=True)
class ToEmbed:
    """A memory without a vector, held by whoever claimed it; ``text`` is None where it is not active any more.

    ``suspect`` says that the endpoint did not take it before.
    """

    user_id: UUID
    memory_id: UUID
    text: str | None
    attempts: int = 1
    suspect: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """Memories claimed together, and the moment that tells them from those of a later claim."""

    memories: Sequence[ToEmbed]
    until: datetime


async def is_kept(conn: Connection) -> bool:
    """Whether this database can keep vectors at all: whether it has pgvector."""
    return bool(await _SQL["vectors_available"].value(conn))


async def standing(conn: Connection, *, model: str, circuit: str, now: datetime) -> tuple[EndpointHealth, int | None]:
    """How the endpoint fares and what it cost today; and how long the model's vectors are, where that is known."""
    row = await _SQL["endpoint_health"].single(conn, dict_row, model=model, circuit=circuit, day=_day(now))
    fares = EndpointHealth(
        opened_at=row["opened_at"],
        next_probe_at=row["next_probe_at"],
        paused_until=row["paused_until"],
        tokens_of_all=int(row["tokens_of_all"]),
    )
    return fares, row["dimensions"]


async def list_other_models(conn: Connection, *, model: str, limit: int) -> int:
    """Take away up to about ``limit`` vectors of other models, and list their memories; how many there were."""
    taken = await _SQL["requeue_vectors_of_other_models"].values(conn, model=model, limit=limit)
    await _SQL["retry_abandoned"].execute(conn, model=model)
    return len(taken)


async def claim(conn: Connection, *, model: str, now: datetime, until: datetime, limit: int) -> Held:
    """Take the next memories to embed; nobody else gets them before ``until``."""
    rows = await _SQL["claim"].all(conn, dict_row, model=model, now=now, until=until, limit=limit)
    claimed = [
        ToEmbed(row["user_id"], row["memory_id"], row["memory_text"], row["attempts"], row["reason"] is not None)
        for row in rows
    ]
    return Held(claimed, until)


async def take_off(conn: Connection, memories: Sequence[ToEmbed]) -> None:
    """Take memories off the list that are not active."""
    await _SQL["dequeue"].execute(conn, **_ids(memories))


async def keep(
    conn: Connection, vectors: Sequence[tuple[ToEmbed, Sequence[float]]], *, model: str, now: datetime
) -> int:
    """Write vectors beside the memories that still say what was embedded; how many did."""
    dimensions = len(vectors[0][1])
    await _SQL["record_dimensions"].execute(conn, model=model, dimensions=dimensions, now=now)
    given = _ids([memory for memory, _ in vectors]) | {
        "model": model,
        "texts": [memory.text for memory, _ in vectors],
        "vectors": [_written(vector) for _, vector in vectors],
    }
    return len(await _SQL["store_vectors"].values(conn, **given))


async def put_back(conn: Connection, held: Held, memories: Sequence[ToEmbed], *, until: datetime) -> None:
    """Give memories back that could not be embedded through no fault of their own."""
    await _SQL["release"].execute(conn, **_ids(memories), held_until=held.until, until=until)


async def refuse(
    conn: Connection,
    *,
    held: Held,
    memories: Sequence[ToEmbed],
    reason: str,
    most: int,
    backoff: timedelta,
    now: datetime,
) -> None:
    """Put off memories that the endpoint will not embed, and give them up after ``most`` attempts."""
    given = {"held_until": held.until, "reason": reason, "most": most, "backoff": backoff, "now": now}
    await _SQL["postpone_rejected"].execute(conn, **_ids(memories), **given)


async def spend(conn: Connection, *, circuit: str, calls: int, tokens: int, now: datetime) -> None:
    """Count what embedding cost; near the end of a transaction, for everybody counts in the same row."""
    await _SQL["record_usage"].execute(conn, model=circuit, day=_day(now), calls=calls, tokens=tokens)


def _ids(memories: Sequence[ToEmbed]) -> dict[str, Any]:
    return {"people": [one.user_id for one in memories], "memories": [one.memory_id for one in memories]}


def _written(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it, to the last digit that a float32 has."""
    return f"[{','.join(format(part, '.9g') for part in vector)}]"


def _day(now: datetime) -> Any:
    return now.astimezone(UTC).date()
