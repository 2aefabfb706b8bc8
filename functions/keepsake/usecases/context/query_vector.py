"""The vector of what was just said, if it comes in time: a message never waits longer for it than its deadline.

No database connection is held while it waits. An endpoint that is away is not waited for again and again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from keepsake.errors import DatabaseUnavailable
from keepsake.infra.logs import log
from keepsake.infra.models.chat_replies import ModelUnavailable
from keepsake.infra.models.embedding_replies import TextsRefused, Vectors
from keepsake.infra.resources import Resources
from keepsake.store import embeddings

if TYPE_CHECKING:  # slow to import, and not everybody has one
    from keepsake.infra.models.embeddings import Embedder

WhyNot = Literal["off", "deadline", "unavailable"]

_PURPOSE = "message"
_LATE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class MessageVector:
    """A message's vector and the model it is of; or why words alone decide."""

    vector: Sequence[float] | None = None
    model: str | None = None
    why_not: WhyNot | None = None


WORDS_ALONE = MessageVector(why_not="off")
"""What a message has where there are no vectors."""


async def message_vector(resources: Resources, text: str) -> MessageVector:
    """The vector of a message within EMBEDDING_DEADLINE_MS; raises nothing, whatever the endpoint does."""
    embedder = resources.embedder
    if embedder is None or not text.strip():
        return WORDS_ALONE
    if not await _is_kept(resources, embedder) or not embedder.breaker.allow():
        return MessageVector(model=embedder.model, why_not="unavailable")
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
        return MessageVector(model=embedder.model, why_not="deadline")
    got = call.result()
    if got is None:
        return MessageVector(model=embedder.model, why_not="unavailable")
    embedder.breaker.record_success()
    return MessageVector(got.vectors[0], embedder.model)


async def _call(resources: Resources, embedder: Embedder, text: str) -> Vectors | None:
    """One request, counted; None where it failed, which opens the breaker unless only this text was refused."""
    started, outcome = time.perf_counter(), "answered"
    try:
        got = await embedder.embed([text], deadline=asyncio.get_running_loop().time() + _LATE_SECONDS)
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
        resources.count_tokens(text) if got.tokens is None else got.tokens
    )
    return got


async def _is_kept(resources: Resources, embedder: Embedder) -> bool:
    """Whether there are vectors to compare with; asked of the database until it says yes."""
    if not embedder.is_kept:
        try:
            async with resources.database.as_service() as conn:
                embedder.is_kept = await embeddings.vectors_available(conn)
        except DatabaseUnavailable:
            return False
    return embedder.is_kept
