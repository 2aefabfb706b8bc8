"""Extracts several turns at once, by rules: one transaction claims them, one call reads them, one transaction writes.

A turn costs a fraction of the statements and commits that it costs alone. Nothing else differs: each turn has a claim
of its own, and what cannot be done for all is done for each alone. With a model each turn is extracted alone, because
its call takes far longer than the database.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar
from uuid import UUID, uuid4

from keepsake.domain.consent.guard import GuardReason, command_in, guard_extraction
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.errors import DatabaseUnavailable, StatementTimeout
from keepsake.infra.database import Connection, Profile
from keepsake.infra.logs import log
from keepsake.infra.readers import DeadlineExceeded
from keepsake.infra.resources import Resources
from keepsake.store import extractions, memories, operations, turns
from keepsake.store.locks import lock_claims
from keepsake.store.row_keys import TurnKey
from keepsake.store.turns import DueTurn
from keepsake.usecases.extraction.ask_model import ask_rules
from keepsake.usecases.extraction.proposals import ReadingOutcome, by_rules_in_time
from keepsake.usecases.turns.claimed_turn import ClaimedTurn, begin_completely, claim_lifetime, release_in_time
from keepsake.usecases.turns.extract_claimed_turn import (
    TurnEnd,
    count_extraction,
    end_turns,
    lock_profiles_of_turns,
    message_of,
    process_claimed_turn,
    store_ends,
)

One = TypeVar("One")

_MAX_TURNS = 32


@dataclass(frozen=True, slots=True)
class _Batch:
    """The turns that were claimed, in the order in which they are written, and those that are extracted alone."""

    claimed: Sequence[ClaimedTurn]
    left: Sequence[DueTurn]


def max_batch(resources: Resources) -> int:
    """How many turns are extracted at once."""
    return 1 if resources.settings.openai_extraction_model else _MAX_TURNS


def group_by_order(due: Sequence[DueTurn]) -> Iterator[list[DueTurn]]:
    """Groups with one turn of a conversation each, in their order: a correction refers to what was said before it."""
    return _groups(list(dict.fromkeys(due)), lambda turn: turn.conversation_id)


def _groups(waiting: Sequence[One], key: Callable[[One], Hashable]) -> Iterator[list[One]]:
    """Groups with one of each key; of the same key, what comes later is in a later group."""
    while waiting:
        group: dict[Hashable, One] = {}
        for one in waiting:
            group.setdefault(key(one), one)
        yield list(group.values())
        waiting = [one for one in waiting if group[key(one)] is not one]


async def extract_batch(resources: Resources, due: Sequence[DueTurn]) -> list[DueTurn]:
    """Extract turns of different conversations; returns those that are to be extracted alone.

    These are commands, turns that were attempted before or that somebody holds, those of a person whose rate limit is
    reached, and what is gone or finished. Raises DatabaseUnavailable where nothing could be claimed.
    """
    await resources.prepare_reading()
    try:
        batch = await begin_completely(_begin(resources, due), partial(_release_batch, resources))
    except (DatabaseUnavailable, StatementTimeout):
        raise
    except Exception as error:  # noqa: BLE001 (it is raised again where the turn is extracted that it comes from)
        log.warning("turns are extracted one by one, because they failed together", exc_info=error)
        return list(due)
    if batch.claimed:
        await _process(resources, batch.claimed)
    return list(batch.left)


async def _begin(resources: Resources, due: Sequence[DueTurn]) -> _Batch:
    """Claim what can be claimed in one transaction; the rates come first, as the lock order has it."""
    now = await resources.synchronized_now()
    names = resources.settings.assistant_name_list
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        found = await turns.read_all(conn, due, now=now, assistant_names=names)
        reasons = {turn.message_id: guard_extraction(turn) for turn in found if not turn.is_finished}
        possible = [turn for turn in found if _can_be_claimed(turn, reasons)]
        counted = [turn for turn in possible if not reasons[turn.message_id]]
        limited = await _find_limited(resources, conn, counted, now)
        wanted = sorted(
            (turn for turn in possible if turn.author not in limited), key=lambda turn: (turn.author, turn.said_at)
        )
        claims = await extractions.claim_several(
            conn, wanted, token=uuid4(), now=now, stale_after=claim_lifetime(resources)
        )
        await _decrement_rates(conn, [turn for turn in counted if turn.message_id not in claims], now)
        owned = [turn for turn in wanted if turn.message_id in claims]
        recent = await memories.recent_of_each(conn, owned)
    claimed = [
        ClaimedTurn(turn, claims[message_id], TurnKey(turn.conversation_id, message_id), known)
        for turn, known in zip(owned, recent, strict=True)
        if (message_id := turn.message_id)
    ]
    return _Batch(claimed, [turn for turn in due if turn.message_id not in claims])


def _can_be_claimed(turn: TurnContext, reasons: Mapping[UUID | None, GuardReason | None]) -> bool:
    if turn.message_id not in reasons or turn.author is None:
        return False
    reason = reasons[turn.message_id]
    return reason is not GuardReason.COMMAND and (reason is not None or command_in(turn) is None)


async def _find_limited(
    resources: Resources, conn: Connection, read: Sequence[TurnContext], now: datetime
) -> set[UUID]:
    """Count the turns against the rate limits; returns the persons whose limit is reached."""
    per_person = Counter(turn.author for turn in read if turn.author is not None)
    if not per_person:
        return set()
    counting = await operations.increment_rates(conn, per_person, now=now)
    return {person for person, count in await counting.fetchall() if count > resources.settings.extractions_per_minute}


async def _decrement_rates(conn: Connection, unclaimed: Sequence[TurnContext], now: datetime) -> None:
    """Take back the counts of turns that were not claimed: each counts again when it is extracted alone."""
    per_person = Counter(turn.author for turn in unclaimed if turn.author is not None)
    if per_person:
        await operations.increment_rates(conn, {person: -count for person, count in per_person.items()}, now=now)


async def _process(resources: Resources, claimed: Sequence[ClaimedTurn]) -> None:
    """Read and finish the turns together; where that fails, each alone, so that none suffers from another."""
    try:
        outcomes = await _read(resources, claimed)
        ends = await _finish(resources, claimed, outcomes)
    except asyncio.CancelledError:
        await _release(resources, claimed)
        raise
    except Exception as error:  # noqa: BLE001 (it is raised again where the turn is finished that it comes from)
        log.warning("turns are finished one by one, because they failed together", exc_info=error)
        failures = await asyncio.gather(
            *(process_claimed_turn(resources, one) for one in claimed), return_exceptions=True
        )
        for failure in failures:
            if isinstance(failure, BaseException):
                log.error("a turn failed", exc_info=failure)
        return
    for end in ends:
        count_extraction(resources, end.extraction)


async def _read(resources: Resources, claimed: Sequence[ClaimedTurn]) -> list[ReadingOutcome | None]:
    """Let the rules read what the consent guard admits: all within the deadline of one, else each within its own."""
    admitted = [one for one in claimed if not guard_extraction(one.turn)]
    messages = [message_of(one) for one in admitted]
    try:
        outcomes: Sequence[ReadingOutcome] = await by_rules_in_time(resources.readers, messages)
    except DeadlineExceeded:
        outcomes = [await ask_rules(resources, message) for message in messages]
    by_claim = {one.claim.id: outcome for one, outcome in zip(admitted, outcomes, strict=True)}
    return [by_claim.get(one.claim.id) for one in claimed]


async def _finish(
    resources: Resources, claimed: Sequence[ClaimedTurn], outcomes: Sequence[ReadingOutcome | None]
) -> list[TurnEnd]:
    """Store all results in one transaction: the locks of all turns and profiles first, then each person's memories."""
    now, names = resources.clock.now(), resources.settings.assistant_name_list
    async with resources.database.as_service(Profile.LOCKING_PREPARED) as conn:
        locking = await lock_claims(conn, [(one.claim, one.turn) for one in claimed])
        found = await turns.read_all(conn, [DueTurn(*one.key) for one in claimed], now=now, assistant_names=names)
        current = {turn.message_id: turn for turn in found}
        valid = set(await locking.fetchall())
        read = [
            (one, turn, outcome)
            for one, outcome in zip(claimed, outcomes, strict=True)
            if one.claim.id in valid and (turn := current.get(one.turn.message_id))
        ]
        await lock_profiles_of_turns(conn, [(turn, outcome) for _, turn, outcome in read])
        ended = {
            end.claim.id: end
            for group in _groups(read, lambda one: (one[1].author, one[1].profile_id))
            for end in await end_turns(resources, conn, group)
        }
        ends = [ended[one.claim.id] for one, _, _ in read]  # in the order in which the rows of sessions are locked
        await store_ends(resources, conn, ends)
    return ends


async def _release_batch(resources: Resources, batch: _Batch) -> None:
    await _release(resources, batch.claimed)


async def _release(resources: Resources, claimed: Sequence[ClaimedTurn]) -> None:
    """Release the claims of a worker that is stopped."""
    await asyncio.gather(*(release_in_time(resources, one, crashed=False) for one in claimed))
