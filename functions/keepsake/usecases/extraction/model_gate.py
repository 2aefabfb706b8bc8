"""The gate in front of the model: endpoint health, budget and rate slots before a call, usage and health after it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from keepsake.domain import availability
from keepsake.domain.availability import Ask, Budget, Standing, UseRules, Wait
from keepsake.domain.consent.turn import TurnContext
from keepsake.infra.database import Connection
from keepsake.infra.models.chat_replies import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store import model_calls
from keepsake.store.extractions import Claim
from keepsake.store.model_calls import Cost, PromptContext


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A turn that the model may be asked about, when, and with which prompt context."""

    model: str
    circuit: str
    """The model and its endpoint: calls are counted and limited for both together."""

    turn: TurnContext
    health: Standing
    context: PromptContext
    not_before: datetime


async def acquire(
    use: Resources, conn: Connection, turn: TurnContext, claim: Claim, now: datetime
) -> ModelRequest | Wait | None:
    """The request to send to the model, or how long to wait; None where the rules are to read the turn."""
    model, author = use.settings.openai_extraction_model, turn.author
    if use.model is None or model is None or author is None:
        return None
    circuit = f"{model} at {use.model.endpoint}"
    health = await model_calls.endpoint_health(conn, claim, model=circuit, user_id=author, now=now)
    verdict = availability.decide(health, _budget(use), now, jitter())
    if isinstance(verdict, Ask):
        slot = await _reserve_slot(use, conn, circuit, verdict, now)
        if isinstance(slot, Wait):
            return slot
        context = await model_calls.prompt_context(conn, turn, now=now)
        return ModelRequest(model, circuit, turn, health, context, slot)
    if isinstance(verdict, UseRules):
        use.metrics.model_passed_over.labels(verdict.why).inc()
        return None
    return verdict


async def record_call(
    use: Resources, conn: Connection, request: ModelRequest, cost: Cost, failure: ModelUnavailable | None
) -> None:
    """Record the usage and the health of the endpoint, late in a transaction."""
    now, author = use.clock.now(), request.turn.author
    if cost.calls and author is not None:
        await model_calls.record_usage(conn, cost, model=request.circuit, user_id=author, now=now)
    if failure is not None and failure.kind == "locked_out":
        probe = now + max(availability.PROBE_EVERY, timedelta(seconds=failure.retry_after or 0))
        await model_calls.open_circuit(conn, model=request.circuit, reason=failure.why, now=now, next_probe_at=probe)
    elif failure is not None and failure.kind == "busy":
        if failure.retry_after:
            until = now + timedelta(seconds=failure.retry_after)
            await model_calls.pause(conn, model=request.circuit, until=until)
    elif request.health.opened_at is not None:
        await model_calls.close_circuit(conn, model=request.circuit)


def jitter() -> float:
    """A random number from 0 to 1, so that waiting turns do not retry at once."""
    return random.random()  # noqa: S311 (nothing is kept secret by it)


async def _reserve_slot(use: Resources, conn: Connection, circuit: str, verdict: Ask, now: datetime) -> datetime | Wait:
    """When the call may be made: now, unless another worker probes the endpoint or the calls per minute are limited."""
    if verdict.probe:
        next_probe_at = now + availability.PROBE_EVERY
        if not await model_calls.claim_probe(conn, model=circuit, now=now, next_probe_at=next_probe_at):
            return availability.between_probes(now, jitter())
    if not use.settings.model_requests_per_minute:
        return now
    spacing = timedelta(minutes=1) / use.settings.model_requests_per_minute
    latest = now + timedelta(seconds=use.settings.model_deadline_seconds / 2)
    slot = await model_calls.reserve_slot(conn, model=circuit, now=now, spacing=spacing, latest=latest)
    return Wait(latest) if slot is None else slot


def _budget(use: Resources) -> Budget:
    return Budget(use.settings.model_tokens_per_user_per_day, use.settings.model_tokens_per_day)
