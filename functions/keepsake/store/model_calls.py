"""Whether the model may be called for a turn, what it is told of it, and what its calls cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.rows import dict_row

from keepsake.domain.availability import EndpointHealth, RetryAt
from keepsake.infra.database import Connection, queries
from keepsake.store.extractions import Claim
from keepsake.store.turns import Turn

_SQL = queries.load("model_calls")


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of a turn beside its message."""

    timezone: str | None = None
    birth_chart: Mapping[str, Any] | None = None
    assistant: str | None = None
    injected: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What calls about one turn cost."""

    calls: int
    input: int
    output: int


async def standing(
    conn: Connection, claim: Claim, *, model: str, user_id: UUID | None, now: datetime
) -> EndpointHealth:
    """How the model fares, what it cost today, and how often this turn waited for it."""
    given = {"extraction_id": claim.id, "model": model, "user_id": user_id, **_day(now)}
    row = await _SQL["endpoint_health"].one(conn, dict_row, **given)
    if row is None:
        return EndpointHealth()
    return EndpointHealth(
        failures=row["model_failures"],
        bad_replies=row["bad_replies"],
        waiting_since=row["waiting_since"],
        not_before=row["not_before"],
        opened_at=row["opened_at"],
        next_probe_at=row["next_probe_at"],
        paused_until=row["paused_until"],
        tokens_of_person=int(row["tokens_of_user"]),
        tokens_of_all=int(row["tokens_of_all"]),
    )


async def material(conn: Connection, turn: Turn, *, now: datetime) -> Material:
    """What the model may be told of a turn beside its message, and what it may not cite."""
    given = {
        "message_id": turn.message_id,
        "conversation_id": turn.conversation_id,
        "profile_id": turn.facts.profile_id,
        "now": now,
    }
    row = await _SQL["prompt_context"].one(conn, dict_row, **given)
    if row is None:
        return Material()
    chart = row["birth_chart"] if isinstance(row["birth_chart"], dict) else None
    return Material(row["timezone"], chart, row["assistant"], tuple(row["injected"]))


async def take_probe(conn: Connection, *, model: str, now: datetime, next_probe_at: datetime) -> bool:
    """Whether this call may be the one that tries the endpoint again."""
    given = {"model": model, "now": now, "next_probe_at": next_probe_at}
    return await _SQL["claim_probe"].value(conn, **given) is not None


async def take_place(
    conn: Connection, *, model: str, now: datetime, spacing: timedelta, latest: datetime
) -> datetime | None:
    """When this call may be made, where calls are limited; None where that would be after ``latest``."""
    given = {"model": model, "now": now, "spacing": spacing, "latest": latest}
    place: datetime | None = await _SQL["reserve_slot"].value(conn, **given)
    return place


async def open_circuit(conn: Connection, *, model: str, reason: str, now: datetime, next_probe_at: datetime) -> None:
    """Let nobody call but for one probe at a time."""
    await _SQL["open_circuit"].execute(conn, model=model, reason=reason, now=now, next_probe_at=next_probe_at)


async def pause(conn: Connection, *, model: str, until: datetime) -> None:
    """Let nobody call before the endpoint wants to be called."""
    await _SQL["pause_endpoint"].execute(conn, model=model, until=until)


async def close_circuit(conn: Connection, *, model: str) -> None:
    """Let everybody call again."""
    await _SQL["close_circuit"].execute(conn, model=model)


async def put_off(conn: Connection, claim: Claim, wait: RetryAt, *, now: datetime) -> bool:
    """Give the claim back until the model may be asked; False where it has passed to another."""
    given = {
        "extraction_id": claim.id,
        "token": claim.token,
        "failures": wait.failures,
        "bad_replies": wait.bad_replies,
        "until": wait.until,
        "now": now,
    }
    return await _SQL["requeue_turn"].value(conn, **given) is not None


async def spend(conn: Connection, cost: Cost, *, model: str, user_id: UUID, now: datetime) -> None:
    """Count what calls cost; near the end of a transaction, for everybody counts in the same rows."""
    given = {"model": model, "user_id": user_id, **_day(now)}
    await _SQL["record_usage"].execute(conn, **given, calls=cost.calls, input=cost.input, output=cost.output)


def _day(now: datetime) -> dict[str, Any]:
    start = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return {"day": start.date(), "day_start": start}
