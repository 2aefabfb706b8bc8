"""Extracts memories from one turn: consent guard, claim and rate limit, then a model or rules, then merging.

The claim is committed before anything is read, and the transaction that writes checks again that the claim is valid and
that the person still consents. So a turn is processed once (idempotency key: author and message), a worker that
lost its claim writes nothing, and a pause takes effect immediately.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID, uuid4

from keepsake.domain.consent.guard import GuardReason, command_in, guard_extraction
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.model_availability import RetryAt
from keepsake.errors import DatabaseUnavailable, RateLimited, StatementTimeout
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import extractions, memories, operations
from keepsake.store.extractions import Claim, ExtractionResult
from keepsake.store.row_keys import TurnKey
from keepsake.usecases.commands.run_command import run_saved_command
from keepsake.usecases.context.query_vector import embed_message
from keepsake.usecases.extraction.model_request import acquire_request, show_similar
from keepsake.usecases.extraction.proposals import Generator
from keepsake.usecases.extraction.result import Extraction, existing_result
from keepsake.usecases.turns.claimed_turn import (
    MAX_ATTEMPTS,
    ClaimedTurn,
    begin_completely,
    claim_lifetime,
    read_turn,
    release_in_time,
)
from keepsake.usecases.turns.extract_claimed_turn import count_extraction, process_claimed_turn, requeue_turn


@dataclass(frozen=True, slots=True)
class _CommandTurn:
    """A turn that is a command, which is run in a transaction of its own."""


async def extract_user_memory(
    resources: Resources, *, conversation_id: UUID, message_id: UUID, generate: Generator | None = None
) -> Extraction:
    """Process one turn once; a second call returns the result of the first, or that it is in progress.

    The model reads the turn where there is one, else the rules; or ``generate``, where it is given.
    """
    key, release = TurnKey(conversation_id, message_id), partial(_release, resources)
    await resources.prepare_reading()
    begun = await begin_completely(_begin_with_similar(resources, key, calls_model=generate is None), release)
    while isinstance(begun, _CommandTurn):  # a second time only where its text has changed meanwhile
        if (ended := await _run_command(resources, key)) is not None:
            return count_extraction(resources, ended)
        beginning = _begin_with_similar(resources, key, calls_model=generate is None, is_no_command=True)
        begun = await begin_completely(beginning, release)
    if isinstance(begun, ClaimedTurn):
        return await process_claimed_turn(resources, begun, generate)
    return count_extraction(resources, begun)


async def _release(resources: Resources, begun: ClaimedTurn | _CommandTurn | Extraction) -> None:
    if isinstance(begun, ClaimedTurn):
        await release_in_time(resources, begun, crashed=False)


async def _begin_with_similar(
    resources: Resources, key: TurnKey, *, calls_model: bool, is_no_command: bool = False
) -> ClaimedTurn | _CommandTurn | Extraction:
    """Claim a turn, and look for memories by the vector of its message, where there are vectors; none is waited for."""
    begun = await _begin(resources, key, calls_model=calls_model, is_no_command=is_no_command)
    if not isinstance(begun, ClaimedTurn) or begun.request is None:
        return begun
    found = await embed_message(resources, begun.turn.text)
    if found.vector is not None and found.model is not None:
        with suppress(DatabaseUnavailable, StatementTimeout):
            async with resources.database.as_service() as conn:
                now = resources.clock.now()
                request = await show_similar(conn, begun.request, found.vector, found.model, now=now)
                return replace(begun, request=request)
    return begun


async def _begin(
    resources: Resources, key: TurnKey, *, calls_model: bool, is_no_command: bool
) -> ClaimedTurn | _CommandTurn | Extraction:
    """Claim a turn in one transaction: guard, claim, quarantine, model gate, rate limit.

    Each step may end it with a result, and a command is not claimed. A refusal by the rate limit rolls back, so that no
    claim remains.
    """
    now = await resources.synchronized_now()
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await read_turn(resources, conn, key, now)
        if turn.author is None:  # what nobody wrote is nobody's turn
            return Extraction("skipped", GuardReason.NOT_A_USER_MESSAGE.value)
        if ended := await _end_unclaimed(resources, conn, turn, turn.author, key, is_no_command=is_no_command):
            return ended
        claim = await extractions.claim(
            conn, key, user_id=turn.author, token=uuid4(), now=now, stale_after=claim_lifetime(resources)
        )
        if claim is None:
            return await existing_result(conn, key)
        if claim.attempts > MAX_ATTEMPTS:
            return await _quarantine(conn, claim, now)
        request = await acquire_request(resources, conn, turn, claim, now) if calls_model else None
        if isinstance(request, RetryAt):
            return await requeue_turn(conn, claim, request, now)
        counting = await operations.increment_rates(conn, {turn.author: 1}, now=now)
        recent = await memories.recent(conn, turn)
        if any(count > resources.settings.extractions_per_minute for _, count in await counting.fetchall()):
            raise RateLimited(retry_after=60 - now.second)
        return ClaimedTurn(turn, claim, key, recent, request)


async def _end_unclaimed(
    resources: Resources, conn: Connection, turn: TurnContext, author: UUID, key: TurnKey, *, is_no_command: bool
) -> _CommandTurn | Extraction | None:
    """What ends a turn before it is claimed: it is finished, the consent guard refuses it, or it is a command."""
    if turn.is_finished:
        return await existing_result(conn, key)
    reason = guard_extraction(turn)
    if reason is GuardReason.COMMAND or (reason is None and not is_no_command and command_in(turn) is not None):
        return _CommandTurn()
    return await _skip(resources, conn, author, key, reason) if reason else None


async def _skip(resources: Resources, conn: Connection, author: UUID, key: TurnKey, reason: GuardReason) -> Extraction:
    """Skip a turn for a reason of the consent guard, unless it is claimed or finished."""
    now, stale_after = resources.clock.now(), claim_lifetime(resources)
    skipped = await extractions.skip(conn, key, user_id=author, reason=reason.value, now=now, stale_after=stale_after)
    return Extraction("skipped", reason.value, skipped) if skipped else await existing_result(conn, key)


async def _quarantine(conn: Connection, claim: Claim, now: datetime) -> Extraction:
    """Stop processing a turn that crashed too often."""
    await extractions.finish(conn, [(claim, ExtractionResult("quarantined", "crashed"))], now=now)
    return Extraction("skipped", "quarantined", claim.id)


async def _run_command(resources: Resources, key: TurnKey) -> Extraction | None:
    """Run a command that did not run yet, for example because its webhook was lost; its turn ends with it.

    None where its words may be no command, and refer to nothing.
    """
    result = await run_saved_command(resources, **key.params)
    if result is not None and result.status == "limited":
        raise RateLimited(retry_after=60 - resources.clock.now().second)
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        turn = await read_turn(resources, conn, key, resources.clock.now())
        if not turn.is_finished and guard_extraction(turn) is None:
            return None
        if not turn.is_finished and turn.author:  # a command that is too old to run
            return await _skip(resources, conn, turn.author, key, GuardReason.COMMAND)
        found = await extractions.find_result(conn, key)
    return Extraction("skipped", GuardReason.COMMAND.value, found.id if found else None)
