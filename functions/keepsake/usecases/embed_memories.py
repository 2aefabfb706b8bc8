"""Embeds memories in the background: leases memories without a vector, embeds them, and stores the vectors.

The transaction that writes a memory also queues it; a job only says that the queue is not empty. Many workers may run
at once: each leases other memories, and none has a connection while it waits for the endpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal

from keepsake.domain import model_availability
from keepsake.domain.model_availability import CallModel, EndpointHealth, Fallback, TokenBudget
from keepsake.infra.database import Connection, Profile
from keepsake.infra.logs import log
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.infra.resources import Resources
from keepsake.store import embeddings, model_health
from keepsake.store.embeddings import EmbeddingLease, KnownModel
from keepsake.usecases.embedding.embed_batch import Batch, embed_batch
from keepsake.usecases.models.gate import jitter
from keepsake.usecases.screening.screen_edits import screen_edits

MAX_ATTEMPTS = 5
"""How often a text is tried that the endpoint does not take."""

BATCHES_A_RUN = 4
_BACKOFF = timedelta(minutes=1)
_PAUSE = timedelta(seconds=30)

StopReason = Literal["off", "no_pgvector", "away", "over_budget"]


@dataclass(frozen=True, slots=True)
class EmbedRun:
    """How many memories got their vector, how many were refused, whether more is due, and why no more was done."""

    embedded: int = 0
    refused: int = 0
    more: bool = False
    why: StopReason | None = None


@dataclass(frozen=True, slots=True)
class _Claimed:
    lease: EmbeddingLease
    health: EndpointHealth
    model: KnownModel


async def embed_memories(resources: Resources, *, batches: int = BATCHES_A_RUN) -> EmbedRun:
    """Embed queued memories in up to ``batches`` requests, until none is left or the endpoint is unavailable."""
    run = EmbedRun() if resources.embedder is not None else EmbedRun(why="off")
    while resources.embedder is not None and batches > 0:
        batches -= 1
        step = await _step(resources, resources.embedder)
        run = EmbedRun(run.embedded + step.embedded, run.refused + step.refused, step.more, step.why)
        if run.why or not run.more:
            break
    return run


async def run_embed_job(resources: Resources) -> None:
    """The job: embed some batches, and leave the rest to another job, so that other work need not wait."""
    run = await embed_memories(resources)
    log.info("embedded memories", embedded=run.embedded, refused=run.refused, why=run.why)
    if run.more and run.why is None:
        async with resources.database.as_service() as conn:
            resources.enqueue_embedding(conn)


async def _step(resources: Resources, embedder: Embedder) -> EmbedRun:
    """One batch: screen what was edited, claim the batch, embed it, write what came of it."""
    await _screen_edits(resources)
    claimed = await _claim(resources, embedder)
    if not isinstance(claimed, _Claimed):
        return EmbedRun(why=claimed)
    memories = claimed.lease.memories
    embeddable = [one for one in memories if one.text is not None and one.attempts <= MAX_ATTEMPTS]
    batch = await embed_batch(resources, embedder, embeddable, model=claimed.model)
    stored = await _write(resources, embedder, claimed, batch)
    more = len(memories) == resources.settings.embedding_batch_size
    return EmbedRun(stored, len(batch.refused), more, "away" if batch.failure else None)


async def _screen_edits(resources: Resources) -> None:
    """Screen the edits of people whose edited memories would be in the batch: no text is sent before that."""
    now, size = resources.clock.now(), resources.settings.embedding_batch_size
    async with resources.database.as_service() as conn:
        people = await embeddings.people_with_unscreened_edits(conn, now=now, limit=size)
    for user_id in people:
        await screen_edits(resources, user_id)


async def _claim(resources: Resources, embedder: Embedder) -> _Claimed | StopReason:
    """The next memories, if the endpoint may be asked now."""
    now, settings = resources.clock.now(), resources.settings
    async with resources.database.as_service(Profile.LOCKING) as conn:
        embedder.is_kept = await embeddings.vectors_available(conn)
        if not embedder.is_kept:
            log.warning("vectors are not available: the database has no pgvector (see `keepsake doctor`)")
            return "no_pgvector"
        health, model = await embeddings.endpoint_health(conn, model=embedder.model, circuit=embedder.circuit, now=now)
        verdict = model_availability.decide_call(
            health, TokenBudget(for_all=settings.embedding_tokens_per_day), now, jitter()
        )
        if isinstance(verdict, Fallback):
            return "over_budget" if verdict.why == "over_budget" else "away"
        if not isinstance(verdict, CallModel) or (verdict.probe and not await _may_probe(resources, conn, embedder)):
            return "away"
        size = settings.embedding_batch_size
        requeued = await embeddings.requeue_vectors_of_other_models(conn, model=embedder.model, limit=2 * size)
        until = now + timedelta(seconds=2 * settings.embedding_batch_seconds)
        lease = await embeddings.claim(conn, model=embedder.model, now=now, until=until, limit=size)
        if requeued:
            log.info("vectors of another model are made anew", requeued=requeued)
        return _Claimed(lease, health, model)


async def _may_probe(resources: Resources, conn: Connection, embedder: Embedder) -> bool:
    now = resources.clock.now()
    return await model_health.claim_probe(
        conn, model=embedder.circuit, now=now, next_probe_at=now + model_availability.PROBE_INTERVAL
    )


async def _write(resources: Resources, embedder: Embedder, claimed: _Claimed, batch: Batch) -> int:
    """Store the vectors, postpone rejected memories, release the others, and record the endpoint's health."""
    now, lease, stored = resources.clock.now(), claimed.lease, 0
    postpone = partial(embeddings.postpone_rejected, lease=lease, max_attempts=MAX_ATTEMPTS, backoff=_BACKOFF, now=now)
    inactive = [one for one in lease.memories if one.text is None]
    crashed = [one for one in lease.memories if one.text is not None and one.attempts > MAX_ATTEMPTS]
    async with resources.database.as_service(Profile.LOCKING) as conn:
        if batch.vectors:
            stored = await embeddings.store_vectors(conn, batch.vectors, model=embedder.model, now=now)
        if batch.calibration:
            await embeddings.record_calibration(conn, batch.calibration, model=embedder.model)
        if batch.refused:
            await postpone(conn, memories=batch.refused, reason="refused")
        if crashed:
            await postpone(conn, memories=crashed, reason="crashed")
        if unfinished := batch.unfinished(
            [one for one in lease.memories if one not in inactive and one not in crashed]
        ):
            await embeddings.release(conn, lease, unfinished, until=now)
        if inactive:
            await embeddings.dequeue(conn, inactive)
        await _record_outcome(resources, conn, embedder, claimed, batch)
    return stored


async def _record_outcome(
    resources: Resources, conn: Connection, embedder: Embedder, claimed: _Claimed, batch: Batch
) -> None:
    now, failure, circuit = resources.clock.now(), batch.failure, embedder.circuit
    if failure is not None:
        log.warning("the endpoint for embeddings gave nothing", kind=failure.kind, why=failure.why)
        wanted = timedelta(seconds=failure.retry_after or 0)
        if failure.kind == "locked_out":
            probe = now + max(model_availability.PROBE_INTERVAL, wanted)
            await model_health.open_circuit(conn, model=circuit, reason=failure.why, now=now, next_probe_at=probe)
        else:
            await model_health.pause(conn, model=circuit, until=now + max(_PAUSE, wanted))
    elif batch.calls and claimed.health.opened_at is not None:
        await model_health.close_circuit(conn, model=circuit)
    if batch.calls:
        await embeddings.record_usage(conn, circuit=circuit, calls=batch.calls, tokens=batch.tokens, now=now)
