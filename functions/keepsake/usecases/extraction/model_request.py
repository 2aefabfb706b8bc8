"""The request to the model about a turn: whether it may be asked now, and with which prompt context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.extraction.prompt_room import MAX_KNOWN, count_known
from keepsake.domain.extraction.query_languages import query_languages
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Memory
from keepsake.domain.model_availability import Fallback, RetryAt
from keepsake.domain.todos.believed_todos import todos_to_show
from keepsake.domain.todos.todo import OpenTodo
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import memories, model_health, todos, turns
from keepsake.store.extractions import Claim
from keepsake.store.turns import PromptContext
from keepsake.usecases.models import gate
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.models.verdicts import queue_trial, read_verdict

_MAX_COMPARED_TODOS = 20
"""Open to-dos from which those are chosen that the model is shown."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A turn that the model may be asked about, the slot for the call, and the prompt context."""

    slot: ModelSlot
    turn: TurnContext
    context: PromptContext
    todos: Sequence[OpenTodo] = ()
    """The open to-dos that the model is shown."""
    verdict: Verdict = Verdict.USABLE
    """How good the model is, which says how strict the check of its reply is."""


async def acquire_request(
    resources: Resources, conn: Connection, turn: TurnContext, claim: Claim, now: datetime
) -> ModelRequest | RetryAt | None:
    """The request to send to the model, or how long to wait; None where the rules are to read the turn."""
    model, author = resources.settings.openai_extraction_model, turn.author
    if resources.model is None or model is None or author is None:
        return None
    circuit = gate.circuit_of(resources, model)
    verdict = await read_verdict(resources, conn, circuit)
    if verdict is Verdict.RULES:
        return None
    if verdict is None:
        await queue_trial(resources, conn, circuit, now=now)
    health = await model_health.endpoint_health(conn, claim, model=circuit, now=now)
    health = replace(health, max_wait=timedelta(seconds=resources.settings.model_patience_seconds))
    slot = await gate.acquire_slot(resources, conn, model=model, user_id=author, health=health, now=now)
    if isinstance(slot, Fallback):
        return None
    if isinstance(slot, RetryAt):
        return slot
    return await make_request(conn, slot, turn, verdict or Verdict.USABLE, now=now)


async def make_request(
    conn: Connection, slot: ModelSlot, turn: TurnContext, verdict: Verdict, *, now: datetime
) -> ModelRequest:
    """The request about a turn; what the model is shown is asked for at once, in one round trip of a pipeline."""
    known = await memories.request_related(conn, turn, **_looked_up(turn, now))
    open_todos = await todos.request_open_of(conn, turn, limit=_MAX_COMPARED_TODOS)
    context = await turns.prompt_context(conn, turn, now=now)
    shown = _fitting(await known.fetchall())
    open_ones = todos_to_show(await open_todos.fetchall(), turn.text)
    return ModelRequest(slot, turn, replace(context, known=shown), open_ones, verdict)


async def show_similar(
    conn: Connection, request: ModelRequest, vector: Sequence[float], model: str, *, now: datetime
) -> ModelRequest:
    """The request with the memories that are related to the message by its vector too: "started the cello" has no word
    of "thinking about an instrument".
    """
    looked_up = {**_looked_up(request.turn, now), "vector": vector, "vector_model": model}
    known = await memories.request_related(conn, request.turn, **looked_up)
    return replace(request, context=replace(request.context, known=_fitting(await known.fetchall())))


def _looked_up(turn: TurnContext, now: datetime) -> dict[str, Any]:
    return {"languages": query_languages(turn.text), "now": now, "limit": MAX_KNOWN}


def _fitting(related: Sequence[Memory]) -> Sequence[Memory]:
    """Those for which the prompt has room."""
    return related[: count_known([memory.text for memory in related])]
