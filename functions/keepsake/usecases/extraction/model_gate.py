"""The gate in front of the model: endpoint health, budget and rate slots before a call, usage and health after it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from keepsake.domain import availability
from keepsake.domain.availability import CallModel, EndpointHealth, Fallback, RetryAt, TokenBudget
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.extraction.prompt import MAX_KNOWN
from keepsake.infra.database import Connection
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store import memories, model_calls
from keepsake.store.extractions import Claim
from keepsake.store.model_calls import Cost, PromptContext


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A turn that the model may be asked about, when, and with which prompt context."""

    model: str
    circuit: str
    """The model and its endpoint: calls are counted and limited for both together."""

    turn: TurnContext
    health: EndpointHealth
    context: PromptContext
    not_before: datetime


async def acquire(
    resources: Resources, conn: Connection, turn: TurnContext, claim: Claim, now: datetime
) -> ModelRequest | RetryAt | None:
    """The request to send to the model, or how long to wait; None where the rules are to read the turn."""
    model, author = resources.settings.openai_extraction_model, turn.author
    if resources.model is None or model is None or author is None:
        return None
    circuit = f"{model} at {resources.model.endpoint}"
    health = await model_calls.endpoint_health(conn, claim, model=circuit, user_id=author, now=now)
    health = replace(health, max_wait=timedelta(seconds=resources.settings.model_patience_seconds))
    verdict = availability.decide_call(health, _budget(resources), now, jitter())
    if isinstance(verdict, CallModel):
        slot = await _reserve_slot(resources, conn, circuit, verdict, now)
        if isinstance(slot, RetryAt):
            return slot
        context = await model_calls.prompt_context(conn, turn, now=now)
        known = await memories.related(conn, turn, now=now, limit=MAX_KNOWN)
        context = replace(context, known=known)
        return ModelRequest(model, circuit, turn, health, context, slot)
    if isinstance(verdict, Fallback):
        resources.metrics.model_fallbacks.labels(verdict.why).inc()
        return None
    return verdict


async def record_call(
    resources: Resources, conn: Connection, request: ModelRequest, cost: Cost, failure: ModelUnavailable | None
) -> None:
    """Record the usage and the health of the endpoint, late in a transaction."""
    now, author = resources.clock.now(), request.turn.author
    if cost.calls and author is not None:
        await model_calls.record_usage(conn, cost, model=request.circuit, user_id=author, now=now)
    if failure is not None and failure.kind == "locked_out":
        probe = now + max(availability.PROBE_INTERVAL, timedelta(seconds=failure.retry_after or 0))
        await model_calls.open_circuit(conn, model=request.circuit, reason=failure.why, now=now, next_probe_at=probe)
    elif failure is not None and failure.kind == "busy":
        await _record_failure(conn, request, failure, now)
    elif cost.calls and (request.health.opened_at is not None or request.health.endpoint_failures):
        await model_calls.close_circuit(conn, model=request.circuit)


async def _record_failure(conn: Connection, request: ModelRequest, failure: ModelUnavailable, now: datetime) -> None:
    """Pause as the endpoint asked; open the circuit after a long pause, or after several failures in a row."""
    pause = timedelta(seconds=failure.retry_after or 0)
    probe = now + max(availability.PROBE_INTERVAL, pause)
    if pause:
        await model_calls.pause(conn, model=request.circuit, until=now + pause)
    if pause > availability.PROBE_INTERVAL:
        await model_calls.open_circuit(conn, model=request.circuit, reason="busy", now=now, next_probe_at=probe)
    else:
        await model_calls.record_failure(
            conn,
            model=request.circuit,
            reason="busy",
            max_failures=availability.MAX_ENDPOINT_FAILURES,
            now=now,
            next_probe_at=probe,
        )


def jitter() -> float:
    """A random number from 0 to 1, so that waiting turns do not retry at once."""
    return random.random()  # noqa: S311 (nothing is kept secret by it)


async def _reserve_slot(
    resources: Resources, conn: Connection, circuit: str, verdict: CallModel, now: datetime
) -> datetime | RetryAt:
    """When the call may be made: now, unless another worker probes the endpoint or the calls per minute are limited."""
    if verdict.probe:
        next_probe_at = now + availability.PROBE_INTERVAL
        if not await model_calls.claim_probe(conn, model=circuit, now=now, next_probe_at=next_probe_at):
            return availability.after_probe(now, jitter())
    if not resources.settings.model_requests_per_minute:
        return now
    spacing = timedelta(minutes=1) / resources.settings.model_requests_per_minute
    latest = now + timedelta(seconds=resources.settings.model_deadline_seconds / 2)
    slot = await model_calls.reserve_slot(conn, model=circuit, now=now, spacing=spacing, latest=latest)
    return RetryAt(latest) if slot is None else slot


def _budget(resources: Resources) -> TokenBudget:
    return TokenBudget(resources.settings.model_tokens_per_user_per_day, resources.settings.model_tokens_per_day)
