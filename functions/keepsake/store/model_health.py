"""The health of a model endpoint, its rate slots and its usage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import class_row

from keepsake.domain.model_availability import EndpointHealth
from keepsake.infra.database import Connection, queries
from keepsake.store.extractions import Claim

_SQL = queries.load("model_health")


@dataclass(frozen=True, slots=True)
class Cost:
    """The calls and tokens that one turn cost."""

    calls: int = 0
    input: int = 0
    output: int = 0
    unusable: int = 0
    """The tokens of calls whose reply could not be used; they are not counted for the person."""


NO_COST = Cost()


async def endpoint_health(conn: Connection, claim: Claim, *, model: str, now: datetime) -> EndpointHealth:
    """The health of the endpoint, the usage of today, and the earlier attempts of this turn."""
    params = {"extraction_id": claim.id, "model": model, "user_id": claim.user_id, **_day(now)}
    return await _SQL["endpoint_health"].one(conn, class_row(EndpointHealth), **params) or EndpointHealth()


async def circuit_health(conn: Connection, *, model: str, user_id: UUID | None, now: datetime) -> EndpointHealth:
    """The health of the endpoint and the usage of today, for what is no turn."""
    params = {"model": model, "user_id": user_id, **_day(now)}
    return await _SQL["circuit_health"].single(conn, class_row(EndpointHealth), **params)


async def claim_probe(conn: Connection, *, model: str, now: datetime, next_probe_at: datetime) -> bool:
    """Whether this call may probe the endpoint."""
    params = {"model": model, "now": now, "next_probe_at": next_probe_at}
    return await _SQL["claim_probe"].value(conn, **params) is not None


async def reserve_slot(
    conn: Connection, *, model: str, now: datetime, spacing: timedelta, latest: datetime
) -> datetime | None:
    """Reserve the next time slot for a call; None where that would be after ``latest``."""
    params = {"model": model, "now": now, "spacing": spacing, "latest": latest}
    return await _SQL["reserve_slot"].value(conn, **params)


async def open_circuit(conn: Connection, *, model: str, reason: str, now: datetime, next_probe_at: datetime) -> None:
    """Open the circuit: only one probe at a time may call."""
    await _SQL["open_circuit"].execute(conn, model=model, reason=reason, now=now, next_probe_at=next_probe_at)


async def record_failure(
    conn: Connection, *, model: str, reason: str, max_failures: int, now: datetime, next_probe_at: datetime
) -> None:
    """Count a failed call; after ``max_failures`` in a row the circuit opens."""
    params = {"model": model, "reason": reason, "now": now, "next_probe_at": next_probe_at}
    await _SQL["record_failure"].execute(conn, **params, max_failures=max_failures)


async def record_bad_reply(
    conn: Connection, *, model: str, reason: str, max_replies: int, now: datetime, next_probe_at: datetime
) -> bool:
    """Count a reply that could not be used; whether the model is set aside now, after ``max_replies`` in a row."""
    params = {"model": model, "reason": reason, "now": now, "next_probe_at": next_probe_at}
    return await _SQL["record_bad_reply"].value(conn, **params, max_replies=max_replies) is True


async def pause(conn: Connection, *, model: str, until: datetime) -> None:
    """Pause all calls until the endpoint accepts them again."""
    await _SQL["pause_endpoint"].execute(conn, model=model, until=until)


async def close_circuit(conn: Connection, *, model: str) -> None:
    """Close the circuit: everybody may call again."""
    await _SQL["close_circuit"].execute(conn, model=model)


async def record_usage(conn: Connection, cost: Cost, *, model: str, user_id: UUID | None, now: datetime) -> None:
    """Record usage; called late in a transaction, because every turn updates the same rows."""
    params = {"model": model, "user_id": user_id, **_day(now)}
    await _SQL["record_usage"].execute(
        conn, **params, calls=cost.calls, input=cost.input, output=cost.output, unusable=cost.unusable
    )


def _day(now: datetime) -> dict[str, Any]:
    start = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return {"day": start.date(), "day_start": start}
