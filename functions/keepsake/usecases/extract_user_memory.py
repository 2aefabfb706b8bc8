"""Makes memories of one turn: guard, claim, limit; think without a connection; then screen, merge and write at once.

The claim is committed before anything thinks, and the transaction that writes checks that it still holds and that the
person still consents. So a turn is looked at once, a frozen worker writes nothing, and a pause holds from its moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID, uuid4

from keepsake.domain.availability import RetryAt
from keepsake.domain.consent.guard import GuardReason, guard_extraction
from keepsake.domain.memory import Memory
from keepsake.domain.text import truncate_at_sentence
from keepsake.errors import DatabaseUnavailable, NotFound, RateLimited
from keepsake.infra.database import Connection, Profile
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import extractions, memories, model_calls, turns
from keepsake.store.extractions import Claim, Ending
from keepsake.store.locks import lock_claim
from keepsake.store.turns import Turn
from keepsake.usecases import embed_memories
from keepsake.usecases.commands.run_command import obey_saved
from keepsake.usecases.extraction import model_gate
from keepsake.usecases.extraction.apply_decisions import Write
from keepsake.usecases.extraction.ask_model import Attempt, ask_model, ask_rules
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.model_gate import Question
from keepsake.usecases.extraction.proposals import Generator, Overdue, Proposal, Statement, for_whose_ears
from keepsake.usecases.extraction.result import Extraction, remembered, settled

__all__ = ["MAX_ATTEMPTS", "Extraction", "claim_lifetime", "extract_user_memory"]

MAX_ATTEMPTS = 5
"""Attempts that may crash before a turn is set aside."""

_BACKOFF = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Held:
    """A turn that is ours to look at."""

    turn: Turn
    claim: Claim
    recent: Sequence[Memory]
    question: Question | None = None
    """What to put before the model; without it, rules read the turn."""


async def extract_user_memory(
    resources: Resources, *, conversation_id: UUID, message_id: UUID, generate: Generator | None = None
) -> Extraction:
    """Look at one turn, once: whoever comes second is told what the first made, or that it is at work.

    The model reads it where there is one, else rules; or whatever ``generate`` is.
    """
    begun = await _begin(resources, conversation_id, message_id, asks=generate is None)
    if begun is GuardReason.COMMAND:
        begun = await _obeyed(resources, conversation_id, message_id)
    if isinstance(begun, Extraction):
        return _counted(resources, begun)
    try:
        text, truncated = truncate_at_sentence(begun.turn.facts.text)
        said = Statement(text, begun.turn.facts.said_at, begun.recent)
        if begun.question is not None:
            attempt = await ask_model(resources, begun.question, said)
        else:
            attempt = Attempt(await (generate(said) if generate else ask_rules(resources, said)))
        return _counted(resources, await _write(resources, begun, attempt, truncated=truncated))
    except Exception as error:
        await _give_back(resources, begun.claim, crashed=not isinstance(error, DatabaseUnavailable))
        raise


def claim_lifetime(resources: Resources) -> timedelta:
    """How long a claim stands before another may take the turn: twice what thinking may take."""
    return timedelta(seconds=2 * resources.settings.model_deadline_seconds)


async def _begin(
    resources: Resources, conversation_id: UUID, message_id: UUID, *, asks: bool
) -> _Held | Extraction | Literal[GuardReason.COMMAND]:
    """Guard, claim and limit in one transaction; a refusal for the rate leaves no claim behind."""
    now = resources.clock.now()
    ids = {"conversation_id": conversation_id, "message_id": message_id}
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await turns.read(conn, conversation_id=conversation_id, message_id=message_id)
        if turn is None:
            raise NotFound("There is no such message.")
        if turn.finished:
            return await settled(conn, ids)
        author, stale_after = turn.facts.author, claim_lifetime(resources)
        if reason := guard_extraction(turn.facts):
            return reason if reason is GuardReason.COMMAND else await _skip(resources, conn, turn, reason, now)
        claim = await extractions.claim(conn, **ids, user_id=author, token=uuid4(), now=now, stale_after=stale_after)
        if claim is None:
            return await settled(conn, ids)
        if claim.attempts > MAX_ATTEMPTS:
            await extractions.finish(conn, claim, Ending("quarantined", "crashed"), now=now)
            return Extraction("skipped", "quarantined", claim.id)
        if claim.in_minute > resources.settings.extractions_per_minute:
            raise RateLimited(retry_after=60 - now.second)
        question = await model_gate.reserve(resources, conn, turn, claim, now) if asks else None
        if isinstance(question, RetryAt):
            await extractions.uncount(conn, user_id=author, now=now)
            return await _put_off(conn, claim, question, now)
        recent = await memories.recent(conn, turn)
        return _Held(turn, claim, recent, question)


async def _skip(resources: Resources, conn: Connection, turn: Turn, reason: GuardReason, now: datetime) -> Extraction:
    """End the turn by the rule that forbids it, unless somebody holds it or it has ended."""
    ids = {"conversation_id": turn.conversation_id, "message_id": turn.message_id}
    author, stale_after = turn.facts.author, claim_lifetime(resources)
    skipped = await extractions.skip(conn, **ids, user_id=author, reason=reason.value, now=now, stale_after=stale_after)
    return Extraction("skipped", reason.value, skipped) if skipped else await settled(conn, ids)


async def _obeyed(resources: Resources, conversation_id: UUID, message_id: UUID) -> Extraction:
    """Carry out a command that nobody has yet, as where its webhook was lost; its turn ends with it."""
    ids = {"conversation_id": conversation_id, "message_id": message_id}
    result = await obey_saved(resources, **ids)
    if result is not None and result.status == "limited":
        raise RateLimited(retry_after=60 - resources.clock.now().second)
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await turns.read(conn, **ids)
        if turn is None:
            raise NotFound("There is no such message.")
        if not turn.finished:  # one too old to be carried out
            return await _skip(resources, conn, turn, GuardReason.COMMAND, resources.clock.now())
        found = await extractions.outcome(conn, **ids)
    return Extraction("skipped", GuardReason.COMMAND.value, found.id if found else None)


async def _put_off(conn: Connection, claim: Claim, wait: RetryAt, now: datetime) -> Extraction:
    """Let the turn wait for the model; ``run-due-jobs`` brings it back."""
    await model_calls.put_off(conn, claim, wait, now=now)
    return Extraction("queued", "model_unavailable", claim.id)


async def _write(resources: Resources, held: _Held, attempt: Attempt, *, truncated: bool) -> Extraction:
    """Store what came of thinking, in one transaction that first checks claim and consent."""
    turn, claim, now = held.turn, held.claim, resources.clock.now()
    ids = {"conversation_id": turn.conversation_id, "message_id": turn.message_id}
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        if not await lock_claim(conn, claim, turn):
            written = await settled(conn, ids)
        elif isinstance(attempt.outcome, RetryAt):
            written = await _put_off(conn, claim, attempt.outcome, now)
        elif isinstance(attempt.outcome, Overdue):
            await extractions.finish(
                conn, claim, Ending("skipped", GuardReason.DEADLINE.value, truncated=truncated), now=now
            )
            written = Extraction("skipped", GuardReason.DEADLINE.value, claim.id)
        else:
            written = await _end(resources, conn, held, attempt.outcome, truncated=truncated)
        if held.question is not None:
            await model_gate.settle(resources, conn, held.question, attempt.cost, attempt.failure)
        if written.status == "extracted" and written.memories:
            embed_memories.enqueue_embedding(resources, conn)
    return written


async def _end(
    resources: Resources, conn: Connection, held: _Held, proposal: Proposal, *, truncated: bool
) -> Extraction:
    """Merge what was proposed and end the turn, if the person still consents."""
    turn, claim, now = held.turn, held.claim, resources.clock.now()
    fresh = await turns.read(conn, conversation_id=turn.conversation_id, message_id=turn.message_id)
    if fresh is None:
        raise NotFound("There is no such message.")
    if reason := guard_extraction(fresh.facts):
        await extractions.finish(conn, claim, Ending("skipped", reason.value), now=now)
        return Extraction("skipped", reason.value, claim.id)
    if fresh.facts.text != turn.facts.text:  # edited while we thought: what was found in it may be gone
        await extractions.release(conn, claim, now=now, next_attempt_at=now, most=MAX_ATTEMPTS, crashed=False)
        return Extraction("queued", "in_progress", claim.id)
    operation_id = uuid4()
    proposal = for_whose_ears(proposal, fresh.facts.text, fresh.persona_id)
    applied = await merge_proposal(Write(conn, fresh, proposal.source, proposal.generator, operation_id, now), proposal)
    ending = Ending(
        "extracted",
        generator=proposal.generator,
        results=[{"memory_id": str(made.memory.id), "action": made.action} for made in applied.made],
        dropped=applied.dropped,
        truncated=truncated,
        operation_id=operation_id if applied.changed else None,
    )
    await extractions.finish(conn, claim, ending, now=now)
    made = tuple(remembered(one.memory, one.action) for one in applied.made)
    for why, count in applied.dropped.items():
        resources.metrics.dropped.labels(why).inc(count)
    return Extraction("extracted", None, claim.id, proposal.generator, made)


async def _give_back(resources: Resources, claim: Claim, *, crashed: bool) -> None:
    """Let the turn be tried again later; with the database away the claim goes stale by itself."""
    now = resources.clock.now()
    with suppress(DatabaseUnavailable):
        async with resources.database.as_service() as conn:
            backoff = _BACKOFF * 2 ** (claim.attempts - 1)
            await extractions.release(
                conn, claim, now=now, next_attempt_at=now + backoff, most=MAX_ATTEMPTS, crashed=crashed
            )


def _counted(resources: Resources, extraction: Extraction) -> Extraction:
    resources.metrics.extractions.labels(extraction.status, extraction.reason or "").inc()
    log.info("looked at a turn", outcome=extraction.status, reason=extraction.reason, made=len(extraction.memories))
    return extraction
