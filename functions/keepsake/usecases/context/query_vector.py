"""Embeds a message within a deadline; without a vector in time, only words are compared.

No database connection is open meanwhile. A circuit breaker stops calls to an endpoint that fails.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.errors import DatabaseUnavailable, StatementTimeout
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.infra.models.embedding_reply_parser import TextsRefused, Vectors
from keepsake.infra.resources import Resources
from keepsake.store import embeddings

UnavailableReason = Literal["off", "deadline", "unavailable"]

VectorOutcome = Literal["used", "deadline", "unavailable"]

_PURPOSE = "message"
_LATE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class MessageVector:
    """The vector of a message and its model, or the reason why there is none."""

    vector: Sequence[float] | None = None
    model: str | None = None
    unavailable_reason: UnavailableReason | None = None

    @property
    def outcome(self) -> VectorOutcome | None:
        """What a context records: whether the vector was used, or why not; None where vectors are off."""
        if self.unavailable_reason == "off":
            return None
        return self.unavailable_reason or "used"


NO_VECTOR = MessageVector(unavailable_reason="off")
"""The result where vectors are turned off."""


async def embed_message(resources: Resources, text: str) -> MessageVector:
    """The vector of a message within EMBEDDING_DEADLINE_MS; no failure of the endpoint raises an error."""
    embedder = resources.embedder
    if embedder is None or not text.strip():
        return NO_VECTOR
    if not await _are_vectors_available(resources, embedder) or not embedder.breaker.allow():
        return MessageVector(model=embedder.model, unavailable_reason="unavailable")
    call = asyncio.create_task(_call(resources, embedder, text))
    try:
        done, _ = await asyncio.wait({call}, timeout=resources.settings.embedding_deadline_ms / 1000)
    except asyncio.CancelledError:
        call.cancel()
        embedder.breaker.record_timeout()
        raise
    if not done:
        embedder.detach(call)
        embedder.breaker.record_timeout()
        resources.metrics.embedding_calls.labels(_PURPOSE, "deadline").inc()
        return MessageVector(model=embedder.model, unavailable_reason="deadline")
    result = call.result()
    if result is None:
        return MessageVector(model=embedder.model, unavailable_reason="unavailable")
    embedder.breaker.record_success()
    return MessageVector(result.vectors[0], embedder.model)


async def _call(resources: Resources, embedder: Embedder, text: str) -> Vectors | None:
    """One counted request; None where it failed, which opens the breaker unless only this text was refused."""
    started, outcome = time.perf_counter(), "answered"
    try:
        result = await embedder.embed_message(
            mask_secrets(text), deadline=asyncio.get_running_loop().time() + _LATE_SECONDS
        )
    except TextsRefused:
        outcome = "refused"
        embedder.breaker.record_timeout()
        return None
    except ModelUnavailable as failure:
        outcome = failure.kind
        embedder.breaker.record_failure(failure.retry_after)
        log.warning("a message went without its vector", kind=failure.kind, why=failure.why)
        return None
    finally:
        resources.metrics.embedding_calls.labels(_PURPOSE, outcome).inc()
        resources.metrics.embedding_seconds.labels(_PURPOSE).observe(time.perf_counter() - started)
    resources.metrics.embedding_tokens.labels(_PURPOSE).inc(
        resources.count_tokens(text) if result.tokens is None else result.tokens
    )
    return result


async def _are_vectors_available(resources: Resources, embedder: Embedder) -> bool:
    """Whether the database stores vectors; it is asked until it does."""
    if not embedder.is_kept:
        try:
            async with resources.database.as_service() as conn:
                embedder.is_kept = await embeddings.vectors_available(conn)
        except (DatabaseUnavailable, StatementTimeout):
            return False
    return embedder.is_kept
