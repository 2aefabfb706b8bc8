"""The gate in front of the model: endpoint health, budget and rate slots before a call, usage and health after it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from keepsake.domain import model_availability
from keepsake.domain.model_availability import CallModel, EndpointHealth, Fallback, RetryAt, TokenBudget
from keepsake.infra.database import Connection
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store import model_health, model_profiles
from keepsake.store.model_health import Cost


@dataclass(frozen=True, slots=True)
class ModelSlot:
    """A call that may be made, and when; its tokens are counted for the person, if it is for one."""

    model: str
    circuit: str
    """The model and its endpoint: calls are counted and limited for both together."""
    user_id: UUID | None
    health: EndpointHealth
    not_before: datetime
    is_probe: bool = False
    """Whether the circuit is open: a short fixed question comes before the call."""

    @classmethod
    def uncounted(cls, resources: Resources, model: str) -> Self:
        """A call at once, which no limit counts; for what an operator asks for."""
        return cls(model, circuit_of(resources, model), None, EndpointHealth(), resources.clock.now())


def circuit_of(resources: Resources, model: str) -> str:
    """The name under which the health of a model is stored."""
    return f"{model} at {resources.model.endpoint if resources.model else ''}"


async def acquire_slot(
    resources: Resources, conn: Connection, *, model: str, user_id: UUID | None, health: EndpointHealth, now: datetime
) -> ModelSlot | RetryAt | Fallback:
    """When the model may be called: now or soon, later, or not at all for what is to be done."""
    circuit = circuit_of(resources, model)
    verdict = model_availability.decide_call(health, _budget(resources), now, jitter())
    if isinstance(verdict, CallModel):
        await _recall_profile(resources, conn, model, circuit, now)
        slot = await _reserve_slot(resources, conn, circuit, verdict, now)
        return slot if isinstance(slot, RetryAt) else ModelSlot(model, circuit, user_id, health, slot, verdict.probe)
    if isinstance(verdict, Fallback):
        resources.metrics.model_fallbacks.labels(verdict.why).inc()
    return verdict


async def record_call(
    resources: Resources, conn: Connection, slot: ModelSlot, cost: Cost, failure: ModelUnavailable | None
) -> None:
    """Record the usage and the health of the endpoint, late in a transaction."""
    now = resources.clock.now()
    learnt = resources.model.take_unsaved(slot.model) if resources.model else None
    if learnt is not None:
        await model_profiles.save_profile(conn, slot.circuit, learnt, now=now)
    if cost.calls:
        await model_health.record_usage(conn, cost, model=slot.circuit, user_id=slot.user_id, now=now)
    if failure is not None and failure.kind == "locked_out":
        probe = now + max(model_availability.PROBE_INTERVAL, timedelta(seconds=failure.retry_after or 0))
        await model_health.open_circuit(conn, model=slot.circuit, reason=failure.why, now=now, next_probe_at=probe)
    elif failure is not None and failure.kind == "busy":
        await _record_failure(conn, slot, failure, now)
    elif failure is not None and failure.kind == "bad_reply":
        await _record_bad_reply(conn, slot, now)
    elif failure is None and cost.calls and _is_impaired(slot.health):
        await model_health.close_circuit(conn, model=slot.circuit)


async def _recall_profile(resources: Resources, conn: Connection, model: str, circuit: str, now: datetime) -> None:
    """Take over what another process, or this one before, learnt of the endpoint; its settings may fix the mode."""
    if resources.model is None or resources.model.knows(model) or resources.settings.openai_schema_mode != "auto":
        return
    stored = await model_profiles.recent_profile(conn, circuit, now=now)
    if stored is not None:
        resources.model.recall(model, stored.profile, age=stored.age)


def _is_impaired(health: EndpointHealth) -> bool:
    return health.opened_at is not None or bool(health.endpoint_failures or health.unusable_replies)


async def _record_bad_reply(conn: Connection, slot: ModelSlot, now: datetime) -> None:
    """Set the model aside after several replies in a row that cannot be used; the next such one prolongs it."""
    until = now + model_availability.QUARANTINE_INTERVAL
    is_quarantined = await model_health.record_bad_reply(
        conn,
        model=slot.circuit,
        reason=model_availability.BAD_REPLIES,
        max_replies=model_availability.MAX_UNUSABLE,
        now=now,
        next_probe_at=until,
    )
    if is_quarantined:
        log.warning("the model is set aside: its replies cannot be used", model=slot.model, until=until.isoformat())


async def _record_failure(conn: Connection, slot: ModelSlot, failure: ModelUnavailable, now: datetime) -> None:
    """Pause as the endpoint asked; open the circuit after a long pause, or after several failures in a row."""
    pause = timedelta(seconds=failure.retry_after or 0)
    probe = now + max(model_availability.PROBE_INTERVAL, pause)
    if pause:
        await model_health.pause(conn, model=slot.circuit, until=now + pause)
    if pause > model_availability.PROBE_INTERVAL:
        await model_health.open_circuit(conn, model=slot.circuit, reason="busy", now=now, next_probe_at=probe)
    else:
        await model_health.record_failure(
            conn,
            model=slot.circuit,
            reason="busy",
            max_failures=model_availability.MAX_ENDPOINT_FAILURES,
            now=now,
            next_probe_at=probe,
        )


def jitter() -> float:
    """A random number from 0 to 1, so that what waits does not retry at once."""
    return random.random()  # noqa: S311 (nothing is kept secret by it)


async def _reserve_slot(
    resources: Resources, conn: Connection, circuit: str, verdict: CallModel, now: datetime
) -> datetime | RetryAt:
    """When the call may be made: now, unless another worker probes the endpoint or the calls per minute are limited."""
    if verdict.probe:
        next_probe_at = now + model_availability.PROBE_INTERVAL
        if not await model_health.claim_probe(conn, model=circuit, now=now, next_probe_at=next_probe_at):
            return model_availability.after_probe(now, jitter())
    if not resources.settings.model_requests_per_minute:
        return now
    spacing = timedelta(minutes=1) / resources.settings.model_requests_per_minute
    latest = now + timedelta(seconds=resources.settings.model_deadline_seconds / 2)
    slot = await model_health.reserve_slot(conn, model=circuit, now=now, spacing=spacing, latest=latest)
    return RetryAt(latest) if slot is None else slot


def _budget(resources: Resources) -> TokenBudget:
    return TokenBudget(resources.settings.model_tokens_per_user_per_day, resources.settings.model_tokens_per_day)
