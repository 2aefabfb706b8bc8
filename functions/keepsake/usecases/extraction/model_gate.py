"""Whether the model may be asked about a turn now, and what the call did to the health of its endpoint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.extraction.prompt import MAX_KNOWN
from keepsake.domain.model_availability import EndpointHealth, Fallback, RetryAt
from keepsake.infra.database import Connection
from keepsake.infra.dependencies import Resources
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.store import memories, model_health
from keepsake.store.extractions import Claim
from keepsake.store.model_health import Cost, PromptContext
from keepsake.usecases.models import gate
from keepsake.usecases.models.gate import ModelSlot


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
    circuit = gate.circuit_of(resources, model)
    health = await model_health.endpoint_health(conn, claim, model=circuit, user_id=author, now=now)
    health = replace(health, max_wait=timedelta(seconds=resources.settings.model_patience_seconds))
    slot = await gate.acquire_slot(resources, conn, model=model, user_id=author, health=health, now=now)
    if isinstance(slot, Fallback):
        return None
    if isinstance(slot, RetryAt):
        return slot
    context = await model_health.prompt_context(conn, turn, now=now)
    context = replace(context, known=await memories.related(conn, turn, now=now, limit=MAX_KNOWN))
    return ModelRequest(model, circuit, turn, health, context, slot.not_before)


async def record_call(
    resources: Resources, conn: Connection, request: ModelRequest, cost: Cost, failure: ModelUnavailable | None
) -> None:
    """Record the usage and the health of the endpoint, late in a transaction."""
    if request.turn.author is not None:
        slot = ModelSlot(request.model, request.circuit, request.turn.author, request.health, request.not_before)
        await gate.record_call(resources, conn, slot, cost, failure)
