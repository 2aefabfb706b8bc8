"""Reads a claimed turn and stores what comes of it, in one transaction that checks the claim and the consent again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.consent.guard import GuardReason, guard_extraction
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.entities.entity import search_form
from keepsake.domain.memory import Candidate
from keepsake.domain.model_availability import RetryAt
from keepsake.domain.reading import LANGUAGE
from keepsake.domain.text import truncate_at_sentence
from keepsake.errors import DatabaseUnavailable
from keepsake.infra.database import Connection, Job, Profile
from keepsake.infra.job_queue import SUMMARY_PRIORITY
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool, conversation_summaries, extractions, sessions
from keepsake.store.extractions import Claim, ExtractionResult
from keepsake.store.locks import lock_claims, lock_profiles_of_several
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.commands.model_forget import forget_as_read
from keepsake.usecases.extraction.ask_model import Attempt, ask_model, ask_rules
from keepsake.usecases.extraction.merge_proposal import Merge, merge_proposals
from keepsake.usecases.extraction.proposals import (
    DeadlineMissed,
    Generator,
    MessageToRead,
    Proposal,
    ReadingOutcome,
    limit_to_persona,
)
from keepsake.usecases.extraction.record_todos import record_todos
from keepsake.usecases.extraction.result import Extraction, existing_result, extracted_memory
from keepsake.usecases.models.gate import record_call
from keepsake.usecases.sessions.refresh_state import REFRESH_STATE_JOB
from keepsake.usecases.summaries.queue_conversations import GRACE, enqueue_conversation
from keepsake.usecases.turns.claimed_turn import MAX_ATTEMPTS, ClaimedTurn, read_turn, release_in_time


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How a turn ends: what is written into its row (nothing where it was released), and what callers get.

    The writer is that of a turn that was extracted: its message counts in its session.
    """

    claim: Claim
    result: ExtractionResult | None
    extraction: Extraction
    writer: MemoryWriter | None = None


@dataclass(frozen=True, slots=True)
class _Merging:
    """A turn whose proposal is merged, and whether it changed a to-do."""

    claimed: ClaimedTurn
    merge: Merge
    has_todos: bool


async def process_claimed_turn(
    resources: Resources, claimed: ClaimedTurn, generate: Generator | None = None
) -> Extraction:
    """Read a claimed turn and store the result; whatever fails, the claim is released."""
    try:
        message = message_of(claimed)
        if claimed.request is not None:
            attempt = await ask_model(resources, claimed.request, message)
        else:
            attempt = Attempt(await (generate(message) if generate else ask_rules(resources, message)))
        return count_extraction(resources, await _finish(resources, claimed, attempt))
    except BaseException as error:
        is_crash = not isinstance(error, DatabaseUnavailable | asyncio.CancelledError)
        await release_in_time(resources, claimed, crashed=is_crash, cost=getattr(error, "cost", None))
        raise


def message_of(claimed: ClaimedTurn) -> MessageToRead:
    """What is read of a turn: its text, truncated, with what was said before it."""
    text, _ = truncate_at_sentence(claimed.turn.text)
    return MessageToRead(text, claimed.turn.said_at, claimed.recent, claimed.turn.previous)


async def requeue_turn(conn: Connection, claim: Claim, wait: RetryAt, now: datetime) -> Extraction:
    """Release the claim until the model is available; ``run-due-jobs`` queues the turn again."""
    await extractions.requeue(conn, claim, wait, now=now)
    return Extraction("queued", "model_unavailable", claim.id)


async def lock_profiles_of_turns(conn: Connection, turns: Sequence[tuple[TurnContext, ReadingOutcome | None]]) -> None:
    """Lock the profiles of the turns in which something was found that may be merged."""
    await lock_profiles_of_several(
        conn,
        [
            (turn.author, turn.profile_id)
            for turn, outcome in turns
            if isinstance(outcome, Proposal)
            if outcome.candidates or outcome.changes or outcome.todos or outcome.forget
            if turn.author is not None and turn.profile_id is not None
        ],
    )


async def end_turns(
    resources: Resources, conn: Connection, read: Sequence[tuple[ClaimedTurn, TurnContext, ReadingOutcome | None]]
) -> list[TurnEnd]:
    """Merge what was read of locked turns of different profiles, their statements together.

    Each turn has its context as it is now; the outcome is None where the consent guard refused to read it. The caller
    has called ``lock_profiles_of_turns`` and writes the rows.
    """
    begun = [await _begin_end(resources, conn, *one) for one in read]
    await merge_proposals([one.merge for one in begun if isinstance(one, _Merging)])
    return [await _end_merged(resources, one) if isinstance(one, _Merging) else one for one in begun]


async def _begin_end(
    resources: Resources, conn: Connection, claimed: ClaimedTurn, turn: TurnContext, outcome: ReadingOutcome | None
) -> _Merging | TurnEnd:
    """Forget and record to-dos, if the person still consents and the message was not edited; then it can be merged."""
    claim, now = claimed.claim, resources.clock.now()
    if reason := GuardReason.DEADLINE if isinstance(outcome, DeadlineMissed) else guard_extraction(turn):
        return _skipped(claimed, reason)
    if not isinstance(outcome, Proposal) or turn.text != claimed.turn.text:
        await extractions.release(conn, claim, now=now, next_attempt_at=now, max_attempts=MAX_ATTEMPTS, crashed=False)
        return TurnEnd(claim, None, Extraction("queued", "in_progress", claim.id))
    writer = MemoryWriter.of_turn(conn, turn, source=outcome.source, actor=outcome.generator, now=now)
    writer = replace(writer, is_profile_locked=True)
    proposal = limit_to_persona(outcome, turn.text, turn.persona_id)
    if proposal.forget:
        await forget_as_read(writer, claimed.turn, proposal.forget)
        kept = [one for one in proposal.candidates if not _is_about(one, proposal.forget)]
        proposal = replace(proposal, candidates=kept)
    has_todos = await record_todos(writer, proposal.todos, turn.text)
    return _Merging(claimed, Merge(writer, proposal, turn.text, resources.settings.memories_per_message), has_todos)


async def store_ends(resources: Resources, conn: Connection, ends: Sequence[TurnEnd]) -> None:
    """Write the rows of turns whose rows are locked, count their messages in the sessions, and queue what follows."""
    now = resources.clock.now()
    finished = [(end.claim, end.result) for end in ends if end.result is not None]
    if finished:
        await extractions.finish(conn, finished, now=now)
    writers = [end.writer for end in ends if end.writer is not None]
    if writers:
        await _note_turns(resources, conn, writers, now)
    if any(end.extraction.memories for end in ends):
        resources.enqueue_embedding(conn)


async def _note_turns(resources: Resources, conn: Connection, writers: Sequence[MemoryWriter], now: datetime) -> None:
    """Count messages in their sessions, and queue the summaries of personas and conversations that are due now."""
    noting = await sessions.note_turns(conn, writers, now=now)
    talked = [writer.origin.conversation_id for writer in writers if writer.origin.conversation_id is not None]
    turns = resources.settings.summary_interval
    marking = await conversation_summaries.mark_due(conn, talked, turns=turns, due_at=now + GRACE)
    for user_id, state_id in await noting.fetchall():
        conn.enqueue_on_commit(Job(REFRESH_STATE_JOB, {"user_id": user_id, "state_id": state_id}, SUMMARY_PRIORITY))
    for conversation_id in await marking.fetchall():
        enqueue_conversation(conn, conversation_id)


def count_extraction(resources: Resources, extraction: Extraction) -> Extraction:
    """Count the end of a turn in the metrics and the log."""
    resources.metrics.extractions.labels(extraction.status, extraction.reason or "").inc()
    log.info("looked at a turn", outcome=extraction.status, reason=extraction.reason, made=len(extraction.memories))
    return extraction


async def _finish(resources: Resources, claimed: ClaimedTurn, attempt: Attempt) -> Extraction:
    """Store the result in one transaction that first checks the claim and the consent."""
    claim, now, outcome = claimed.claim, resources.clock.now(), attempt.outcome
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        locking = await lock_claims(conn, [(claim, claimed.turn)])
        turn = await read_turn(resources, conn, claimed.key, now)
        if claim.id not in await locking.fetchall():
            extraction = await existing_result(conn, claimed.key)
        elif isinstance(outcome, RetryAt):
            extraction = await requeue_turn(conn, claim, outcome, now)
        else:
            await lock_profiles_of_turns(conn, [(turn, outcome)])
            [end] = await end_turns(resources, conn, [(claimed, turn, outcome)])
            await store_ends(resources, conn, [end])
            extraction = end.extraction
        if claimed.request is not None:
            await record_call(resources, conn, claimed.request.slot, attempt.cost, attempt.failure)
    return extraction


def _skipped(claimed: ClaimedTurn, reason: GuardReason) -> TurnEnd:
    result = ExtractionResult("skipped", reason.value, truncated=_is_truncated(claimed))
    return TurnEnd(claimed.claim, result, Extraction("skipped", reason.value, claimed.claim.id))


def _is_truncated(claimed: ClaimedTurn) -> bool:
    return truncate_at_sentence(claimed.turn.text)[1]


def _unread_reason(proposal: Proposal) -> str | None:
    """The reason why nothing was found: neither rules nor a model read the language of the message."""
    is_unread = proposal.no_result_reason == LANGUAGE and not (proposal.changes or proposal.todos)
    return LANGUAGE if is_unread else None


async def _end_merged(resources: Resources, merging: _Merging) -> TurnEnd:
    """The end of a turn whose proposal was merged with what is remembered of the person."""
    claimed, proposal, merged = merging.claimed, merging.merge.proposal, merging.merge.result
    writer = merging.merge.writer
    has_mentions = await _record_mentions(writer, claimed)
    reason = _unread_reason(proposal)
    result = ExtractionResult(
        "extracted",
        reason,
        generator=proposal.generator,
        model=proposal.model or None,
        results=[{"memory_id": str(one.memory.id), "action": one.action} for one in merged.written],
        dropped=merged.dropped,
        truncated=_is_truncated(claimed),
        operation_id=writer.operation_id if merged.changed or merging.has_todos or has_mentions else None,
    )
    for drop_reason, count in merged.dropped.items():
        resources.metrics.dropped.labels(drop_reason).inc(count)
    written = tuple(extracted_memory(one.memory, one.action) for one in merged.written)
    extraction = Extraction("extracted", reason, claimed.claim.id, proposal.generator, written)
    return TurnEnd(claimed.claim, result, extraction, writer)


def _is_about(candidate: Candidate, memory_ids: Sequence[UUID]) -> bool:
    """Whether it changes or repeats one of these memories, as a model says."""
    return not {candidate.related_id, *candidate.more_related_ids}.isdisjoint(memory_ids)


async def _record_mentions(writer: MemoryWriter, claimed: ClaimedTurn) -> bool:
    """Record which of the person's places the message mentions by name; returns whether it mentions one."""
    message = search_form(claimed.turn.text)
    names = [(place, search_form(name)) for place, name in claimed.turn.places]
    mentioned = [place for place, name in names if name.strip() and name in message]
    if not mentioned or claimed.turn.message_id is None:
        return False
    async with writer.begin_merge("mentioned a place"):
        for place in mentioned:
            await agent_tool.record_mention(writer, place)
    return True
