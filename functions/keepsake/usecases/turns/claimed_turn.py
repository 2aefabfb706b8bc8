"""A turn that this worker has claimed, and how it gives the claim up without having finished it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Memory
from keepsake.errors import DatabaseUnavailable, NotFound, StatementTimeout
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import extractions, turns
from keepsake.store.extractions import Claim
from keepsake.store.model_health import Cost
from keepsake.store.row_keys import TurnKey
from keepsake.usecases.extraction.model_request import ModelRequest
from keepsake.usecases.models.gate import record_call

MAX_ATTEMPTS = 5
"""Attempts that may crash before a turn is quarantined."""

RELEASE_SECONDS = 5.0
"""How long the release of a claim may take while a worker is stopped."""

_BACKOFF = timedelta(minutes=1)
_Begun = TypeVar("_Begun")


@dataclass(frozen=True, slots=True)
class ClaimedTurn:
    """A turn that this worker has claimed."""

    turn: TurnContext
    claim: Claim
    key: TurnKey
    recent: Sequence[Memory]
    request: ModelRequest | None = None
    """The request to send to the model; without it, the rules read the turn."""


def claim_lifetime(resources: Resources) -> timedelta:
    """How long a claim is valid before another worker may take the turn: twice the deadline of the model."""
    return timedelta(seconds=2 * resources.settings.model_deadline_seconds)


async def read_turn(resources: Resources, conn: Connection, key: TurnKey, now: datetime) -> TurnContext:
    """The context of a saved message; NotFound where there is none."""
    turn = await turns.read(conn, **key.params, now=now, assistant_names=resources.settings.assistant_name_list)
    if turn is None:
        raise NotFound("There is no such message.")
    return turn


async def begin_completely(
    beginning: Coroutine[None, None, _Begun], release: Callable[[_Begun], Awaitable[None]]
) -> _Begun:
    """Let claims be made to the end, also where the caller is cancelled meanwhile: then they are released at once."""
    begin = asyncio.create_task(beginning)
    try:
        return await asyncio.shield(begin)
    except asyncio.CancelledError:
        await asyncio.wait({begin}, timeout=RELEASE_SECONDS)
        if begin.done() and not begin.cancelled() and begin.exception() is None:
            await release(begin.result())
        raise


async def release_in_time(
    resources: Resources, claimed: ClaimedTurn, *, crashed: bool, cost: Cost | None = None
) -> None:
    """Release the claim even while this task is cancelled; in a task of its own, which has its time."""
    release = asyncio.create_task(_release(resources, claimed, crashed=crashed, cost=cost))
    await asyncio.wait({release}, timeout=RELEASE_SECONDS)
    if release.done():
        release.result()


async def _release(resources: Resources, claimed: ClaimedTurn, *, crashed: bool, cost: Cost | None) -> None:
    """Requeue the turn, after a crash with a backoff; where the database is unavailable, the claim becomes stale."""
    claim, now = claimed.claim, resources.clock.now()
    with suppress(DatabaseUnavailable, StatementTimeout):
        async with resources.database.as_service() as conn:
            backoff = _BACKOFF * 2 ** (claim.attempts - 1) if crashed else timedelta()
            await extractions.release(
                conn, claim, now=now, next_attempt_at=now + backoff, max_attempts=MAX_ATTEMPTS, crashed=crashed
            )
            if cost is not None and claimed.request is not None:
                await record_call(resources, conn, claimed.request.slot, cost, None)
