"""Extracts memories from one turn: consent guard, claim and rate limit, then a model or rules, then merging.

The claim is committed before anything is read, and the transaction that writes checks again that the claim is valid and
that the person still consents. So a turn is processed once (idempotency key: conversation and message), a worker that
lost its claim writes nothing, and a pause takes effect immediately.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from keepsake.domain.availability import RetryAt
from keepsake.domain.consent.guard import GuardReason, guard_extraction
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.extraction.rules import LANGUAGE
from keepsake.domain.memory import Memory
from keepsake.domain.text import truncate_at_sentence
from keepsake.errors import DatabaseUnavailable, NotFound, RateLimited, StatementTimeout
from keepsake.infra.database import Connection, Job, Profile
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import extractions, memories, model_calls, operations, sessions, turns
from keepsake.store.extractions import Claim, ExtractionResult
from keepsake.store.locks import lock_claim
from keepsake.store.model_calls import Cost
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.commands.run_command import run_saved_command
from keepsake.usecases.extraction import model_gate
from keepsake.usecases.extraction.ask_model import Attempt, ask_model, ask_rules
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.model_gate import ModelRequest
from keepsake.usecases.extraction.proposals import DeadlineMissed, Generator, Proposal, Statement, limit_to_persona
from keepsake.usecases.extraction.record_todos import record_todos
from keepsake.usecases.extraction.result import Extraction, existing_result, extracted_memory
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB

__all__ = ["MAX_ATTEMPTS", "Extraction", "claim_lifetime", "extract_user_memory"]

MAX_ATTEMPTS = 5
"""Attempts that may crash before a turn is quarantined."""

_BACKOFF = timedelta(minutes=1)
_RELEASE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _ClaimedTurn:
    """A turn that this worker has claimed."""

    turn: TurnContext
    claim: Claim
    ids: dict[str, UUID]
    recent: Sequence[Memory]
    request: ModelRequest | None
    """The request to send to the model; without it, the rules read the turn."""


@dataclass(frozen=True, slots=True)
class _CommandTurn:
    """A turn that is a command, which is run in a transaction of its own."""


async def extract_user_memory(
    resources: Resources, *, conversation_id: UUID, message_id: UUID, generate: Generator | None = None
) -> Extraction:
    """Process one turn once; a second call returns the result of the first, or that it is in progress.

    The model reads the turn where there is one, else the rules; or ``generate``, where it is given.
    """
    ids = {"conversation_id": conversation_id, "message_id": message_id}
    await resources.prepare_reading()
    begun = await _begin_completely(resources, ids, calls_model=generate is None)
    if isinstance(begun, _CommandTurn):
        return _count(resources, await _run_command(resources, ids))
    if isinstance(begun, Extraction):
        return _count(resources, begun)
    try:
        text, truncated = truncate_at_sentence(begun.turn.text)
        statement = Statement(text, begun.turn.said_at, begun.recent, begun.turn.previous)
        if begun.request is not None:
            attempt = await ask_model(resources, begun.request, statement)
        else:
            attempt = Attempt(await (generate(statement) if generate else ask_rules(resources, statement)))
        return _count(resources, await _finish(resources, begun, attempt, truncated=truncated))
    except BaseException as error:
        is_crash = not isinstance(error, DatabaseUnavailable | asyncio.CancelledError)
        await _release_in_time(resources, begun, crashed=is_crash, cost=getattr(error, "cost", None))
        raise


def claim_lifetime(resources: Resources) -> timedelta:
    """How long a claim is valid before another worker may take the turn: twice the deadline of the model."""
    return timedelta(seconds=2 * resources.settings.model_deadline_seconds)


async def _begin_completely(
    resources: Resources, ids: dict[str, UUID], *, calls_model: bool
) -> _ClaimedTurn | _CommandTurn | Extraction:
    """Begin, also where the caller is cancelled meanwhile: then the claim is released, and the cancellation goes on."""
    beginning = asyncio.create_task(_begin(resources, ids, calls_model=calls_model))
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        await asyncio.wait({beginning}, timeout=_RELEASE_SECONDS)
        if beginning.done() and not beginning.cancelled() and beginning.exception() is None:
            begun = beginning.result()
            if isinstance(begun, _ClaimedTurn):
                await _release_in_time(resources, begun, crashed=False)
        raise


async def _begin(
    resources: Resources, ids: dict[str, UUID], *, calls_model: bool
) -> _ClaimedTurn | _CommandTurn | Extraction:
    """Claim a turn in one transaction: guard, claim, quarantine, model gate, rate limit.

    Each step may end it with a result, and a command is not claimed. A refusal by the rate limit rolls back, so that no
    claim remains.
    """
    now = await resources.synchronized_now()
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await _read_turn(resources, conn, ids, now)
        if turn.is_finished:
            return await existing_result(conn, ids)
        if reason := guard_extraction(turn):
            is_command = reason is GuardReason.COMMAND
            return _CommandTurn() if is_command else await _skip(resources, conn, turn, ids, reason)
        claim = await extractions.claim(
            conn, **ids, user_id=turn.author, token=uuid4(), now=now, stale_after=claim_lifetime(resources)
        )
        if claim is None:
            return await existing_result(conn, ids)
        if claim.attempts > MAX_ATTEMPTS:
            return await _quarantine(conn, claim, now)
        request = await model_gate.acquire(resources, conn, turn, claim, now) if calls_model else None
        if isinstance(request, RetryAt):
            return await _requeue(conn, claim, request, now)
        recent = await memories.recent(conn, turn)
        await _check_rate_limit(resources, conn, turn, now)
        return _ClaimedTurn(turn, claim, ids, recent, request)


async def _read_turn(resources: Resources, conn: Connection, ids: dict[str, UUID], now: datetime) -> TurnContext:
    turn = await turns.read(conn, **ids, now=now)
    if turn is None:
        raise NotFound("There is no such message.")
    return replace(turn, configured_names=resources.settings.assistant_name_list)


async def _skip(
    resources: Resources, conn: Connection, turn: TurnContext, ids: dict[str, UUID], reason: GuardReason
) -> Extraction:
    """Skip a turn for a reason of the consent guard, unless it is claimed or finished."""
    now, stale_after = resources.clock.now(), claim_lifetime(resources)
    skipped = await extractions.skip(
        conn, **ids, user_id=turn.author, reason=reason.value, now=now, stale_after=stale_after
    )
    return Extraction("skipped", reason.value, skipped) if skipped else await existing_result(conn, ids)


async def _quarantine(conn: Connection, claim: Claim, now: datetime) -> Extraction:
    """Stop processing a turn that crashed too often."""
    await extractions.finish(conn, claim, ExtractionResult("quarantined", "crashed"), now=now)
    return Extraction("skipped", "quarantined", claim.id)


async def _requeue(conn: Connection, claim: Claim, wait: RetryAt, now: datetime) -> Extraction:
    """Release the claim until the model is available; ``run-due-jobs`` queues the turn again."""
    await model_calls.requeue(conn, claim, wait, now=now)
    return Extraction("queued", "model_unavailable", claim.id)


async def _check_rate_limit(resources: Resources, conn: Connection, turn: TurnContext, now: datetime) -> None:
    """Count the extraction against the person's rate limit; after the gate, so that waiting turns are not counted."""
    if turn.author is not None:
        count = await operations.increment_rate(conn, user_id=turn.author, now=now)
        if count > resources.settings.extractions_per_minute:
            raise RateLimited(retry_after=60 - now.second)


async def _run_command(resources: Resources, ids: dict[str, UUID]) -> Extraction:
    """Run a command that did not run yet, for example because its webhook was lost; its turn ends with it."""
    result = await run_saved_command(resources, **ids)
    if result is not None and result.status == "limited":
        raise RateLimited(retry_after=60 - resources.clock.now().second)
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await _read_turn(resources, conn, ids, resources.clock.now())
        if not turn.is_finished:  # a command that is too old to run
            return await _skip(resources, conn, turn, ids, GuardReason.COMMAND)
        found = await extractions.find_result(conn, **ids)
    return Extraction("skipped", GuardReason.COMMAND.value, found.id if found else None)


async def _finish(resources: Resources, claimed: _ClaimedTurn, attempt: Attempt, *, truncated: bool) -> Extraction:
    """Store the result in one transaction that first checks the claim and the consent."""
    claim, now, outcome = claimed.claim, resources.clock.now(), attempt.outcome
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        if not await lock_claim(conn, claim, claimed.turn):
            extraction = await existing_result(conn, claimed.ids)
        elif isinstance(outcome, RetryAt):
            extraction = await _requeue(conn, claim, outcome, now)
        elif skipped := _unread_reason(outcome):
            result = ExtractionResult("skipped", skipped.value, truncated=truncated)
            await extractions.finish(conn, claim, result, now=now)
            extraction = Extraction("skipped", skipped.value, claim.id)
        elif isinstance(outcome, Proposal):
            extraction = await _merge(resources, conn, claimed, outcome, truncated=truncated)
        if claimed.request is not None:
            await model_gate.record_call(resources, conn, claimed.request, attempt.cost, attempt.failure)
        if extraction.status == "extracted" and extraction.memories:
            resources.enqueue_embedding(conn)
    return extraction


def _unread_reason(outcome: Proposal | DeadlineMissed) -> GuardReason | None:
    """Why nothing could be read of a turn: it took too long, or neither rules nor a model read its language."""
    if isinstance(outcome, DeadlineMissed):
        return GuardReason.DEADLINE
    return GuardReason.LANGUAGE if outcome.no_result_reason == LANGUAGE and not outcome.changes else None


async def _merge(
    resources: Resources, conn: Connection, claimed: _ClaimedTurn, proposal: Proposal, *, truncated: bool
) -> Extraction:
    """Merge the proposal and finish the turn, if the person still consents and the message was not edited."""
    claim, now = claimed.claim, resources.clock.now()
    turn = await _read_turn(resources, conn, claimed.ids, now)
    if reason := guard_extraction(turn):
        await extractions.finish(conn, claim, ExtractionResult("skipped", reason.value), now=now)
        return Extraction("skipped", reason.value, claim.id)
    if turn.text != claimed.turn.text:
        await extractions.release(conn, claim, now=now, next_attempt_at=now, max_attempts=MAX_ATTEMPTS, crashed=False)
        return Extraction("queued", "in_progress", claim.id)
    if turn.author is None or turn.profile_id is None:
        raise LookupError("the consent guard admits no turn without author and profile")
    writer = MemoryWriter(
        conn=conn,
        user_id=turn.author,
        profile_id=turn.profile_id,
        source=proposal.source,
        actor=proposal.generator,
        now=now,
        origin=turn.origin,
        allowed_types=turn.consent.allowed_types,
    )
    has_todos = await record_todos(writer, proposal.todos, turn.text)
    merged = await merge_proposal(writer, limit_to_persona(proposal, turn.text, turn.persona_id), turn.text)
    result = ExtractionResult(
        "extracted",
        generator=proposal.generator,
        results=[{"memory_id": str(one.memory.id), "action": one.action} for one in merged.written],
        dropped=merged.dropped,
        truncated=truncated,
        operation_id=writer.operation_id if merged.changed or has_todos else None,
    )
    await extractions.finish(conn, claim, result, now=now)
    if (state_id := await sessions.note_turn(writer)) is not None:
        conn.enqueue_on_commit(Job(REFRESH_STATE_JOB, {"user_id": turn.author, "state_id": state_id}))
    for drop_reason, count in merged.dropped.items():
        resources.metrics.dropped.labels(drop_reason).inc(count)
    written = tuple(extracted_memory(one.memory, one.action) for one in merged.written)
    return Extraction("extracted", None, claim.id, proposal.generator, written)


async def _release_in_time(
    resources: Resources, claimed: _ClaimedTurn, *, crashed: bool, cost: Cost | None = None
) -> None:
    """Release the claim even while this task is cancelled; in a task of its own, which has its time."""
    release = asyncio.create_task(_release(resources, claimed, crashed=crashed, cost=cost))
    await asyncio.wait({release}, timeout=_RELEASE_SECONDS)
    if release.done():
        release.result()


async def _release(resources: Resources, claimed: _ClaimedTurn, *, crashed: bool, cost: Cost | None) -> None:
    """Requeue the turn, after a crash with a backoff; where the database is unavailable, the claim becomes stale."""
    claim, now = claimed.claim, resources.clock.now()
    with suppress(DatabaseUnavailable, StatementTimeout):
        async with resources.database.as_service() as conn:
            backoff = _BACKOFF * 2 ** (claim.attempts - 1) if crashed else timedelta()
            await extractions.release(
                conn, claim, now=now, next_attempt_at=now + backoff, max_attempts=MAX_ATTEMPTS, crashed=crashed
            )
            if cost is not None and claimed.request is not None:
                await model_gate.record_call(resources, conn, claimed.request, cost, None)


def _count(resources: Resources, extraction: Extraction) -> Extraction:
    resources.metrics.extractions.labels(extraction.status, extraction.reason or "").inc()
    log.info("looked at a turn", outcome=extraction.status, reason=extraction.reason, made=len(extraction.memories))
    return extraction
