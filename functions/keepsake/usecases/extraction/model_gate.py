"""Whether a turn may be put before the model now, and what the others are told of how it went."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

from keepsake.domain import availability
from keepsake.domain.availability import CallModel, EndpointHealth, Fallback, RetryAt, TokenBudget
from keepsake.infra.database import Connection
from keepsake.infra.models.chat_replies import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store import model_calls
from keepsake.store.extractions import Claim
from keepsake.store.model_calls import Cost, Material
from keepsake.store.turns import Turn


@dataclass(frozen=True, slots=True)
class Question:
    """A turn that may be put before the model, when, and with what beside it."""

    model: str
    circuit: str
    """The model and where it is: what calls are counted and held back by."""

    turn: Turn
    standing: EndpointHealth
    material: Material
    place: datetime


async def reserve(
    resources: Resources, conn: Connection, turn: Turn, claim: Claim, now: datetime
) -> Question | RetryAt | None:
    """The question to put before the model; until when to wait; or None where rules are to read the turn."""
    model, author = resources.settings.openai_extraction_model, turn.facts.author
    if resources.model is None or model is None or author is None:
        return None
    circuit = f"{model} at {resources.model.endpoint}"
    standing = await model_calls.standing(conn, claim, model=circuit, user_id=author, now=now)
    verdict = availability.decide_call(standing, _budget(resources), now, jitter())
    if isinstance(verdict, CallModel):
        place = await _place(resources, conn, circuit, verdict, now)
        if isinstance(place, RetryAt):
            return place
        return Question(model, circuit, turn, standing, await model_calls.material(conn, turn, now=now), place)
    if isinstance(verdict, Fallback):
        resources.metrics.model_fallbacks.labels(verdict.why).inc()
        return None
    return verdict


async def settle(
    resources: Resources, conn: Connection, question: Question, cost: Cost, failure: ModelUnavailable | None
) -> None:
    """Count what was spent, and let everybody know how the model fares; at the end of a transaction."""
    now, author = resources.clock.now(), question.turn.facts.author
    if cost.calls and author is not None:
        await model_calls.spend(conn, cost, model=question.circuit, user_id=author, now=now)
    if failure is not None and failure.kind == "locked_out":
        probe = now + max(availability.PROBE_INTERVAL, timedelta(seconds=failure.retry_after or 0))
        await model_calls.open_circuit(conn, model=question.circuit, reason=failure.why, now=now, next_probe_at=probe)
    elif failure is not None and failure.kind == "busy":
        if failure.retry_after:
            until = now + timedelta(seconds=failure.retry_after)
            await model_calls.pause(conn, model=question.circuit, until=until)
    elif question.standing.opened_at is not None:
        await model_calls.close_circuit(conn, model=question.circuit)


def jitter() -> float:
    """Chance, from 0 to 1: what keeps those who wait from coming back all at once."""
    return random.random()  # noqa: S311 (nothing is kept secret by it)


async def _place(
    resources: Resources, conn: Connection, circuit: str, verdict: CallModel, now: datetime
) -> datetime | RetryAt:
    """When the call may be made: now, unless it is a probe that another makes, or calls a minute are limited."""
    if verdict.probe:
        next_probe_at = now + availability.PROBE_INTERVAL
        if not await model_calls.take_probe(conn, model=circuit, now=now, next_probe_at=next_probe_at):
            return availability.after_probe(now, jitter())
    if not resources.settings.model_requests_per_minute:
        return now
    spacing = timedelta(minutes=1) / resources.settings.model_requests_per_minute
    latest = now + timedelta(seconds=resources.settings.model_deadline_seconds / 2)
    place = await model_calls.take_place(conn, model=circuit, now=now, spacing=spacing, latest=latest)
    return RetryAt(latest) if place is None else place


def _budget(resources: Resources) -> TokenBudget:
    return TokenBudget(resources.settings.model_tokens_per_user_per_day, resources.settings.model_tokens_per_day)
