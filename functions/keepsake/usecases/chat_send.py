"""Takes note of a saved message: commits the row and the job that will look at its turn, and answers at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from keepsake.domain.commands import recognize_answer
from keepsake.domain.commands.recognize import recognize
from keepsake.errors import NotFound
from keepsake.infra.db import Connection
from keepsake.infra.resources import Resources
from keepsake.store import deliveries, extractions, turns
from keepsake.store.turns import DueTurn
from keepsake.usecases.commands.run_command import obey_saved

EXTRACT_JOB = "extract_user_memory"
"""The name of the job that looks at one turn."""

LOOKS_BACK = timedelta(days=7)
"""How old a turn may be that is still looked at."""

GRACE = timedelta(minutes=2)
"""How long a job has before ``run-due-jobs`` takes it for lost."""

_MOST_TURNS = 20
_ACCEPTED = 202


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was noted: the extraction rows that are now queued; ``repeated`` if this delivery came before."""

    status: Literal["accepted", "ignored"]
    reason: str | None = None
    extraction_ids: tuple[UUID, ...] = ()
    repeated: bool = False


async def chat_send(
    use: Resources, *, conversation_id: UUID, message_id: UUID, webhook_id: str | None = None
) -> Receipt:
    """Note a message; an assistant's stands for the person's before it that nobody has finished with."""
    now = use.clock.now()
    async with use.database.as_service(batched=False, routine=True) as conn:
        if webhook_id and not await deliveries.note(conn, webhook_id=webhook_id, status=_ACCEPTED, now=now):
            return _repeated(await deliveries.first_outcome(conn, webhook_id=webhook_id))
        message = await turns.delivered(conn, conversation_id=conversation_id, message_id=message_id)
        spoken_of = await _spoken_of(conn, conversation_id, message_id, message, now)
        queued = [
            (turn, row_id)
            for turn in spoken_of
            if (row_id := await extractions.await_one(conn, turn, now=now, next_attempt_at=now + GRACE))
        ]
        ids = tuple(row_id for _, row_id in queued)
        receipt = Receipt("accepted", None, ids) if spoken_of else Receipt("ignored", "nothing_to_extract")
        if webhook_id:
            await deliveries.keep(conn, webhook_id=webhook_id, outcome=_outcome(receipt))
        await enqueue_turns(use, conn, [turn for turn, _ in queued])
    said = message["content"] if message and message["role"] == "user" else ""
    if recognize(said) or recognize_answer(said):
        await obey_saved(use, conversation_id=conversation_id, message_id=message_id)  # else the turn's job does
    return receipt


async def enqueue_turns(use: Resources, conn: Connection, due: Sequence[DueTurn]) -> None:
    """Queue one job a turn, as the last step of the transaction."""
    for turn in due:
        await use.queue.enqueue(conn, EXTRACT_JOB, conversation_id=turn.conversation_id, message_id=turn.message_id)


async def _spoken_of(
    conn: Connection, conversation_id: UUID, message_id: UUID, message: Mapping[str, Any] | None, now: datetime
) -> list[DueTurn]:
    if message is None:
        raise NotFound("There is no such message.")
    if message["role"] == "user" and message["user_id"] is not None:
        return [DueTurn(conversation_id, message_id, message["user_id"])]
    if message["role"] != "assistant":
        return []
    since = now - LOOKS_BACK
    return await turns.unfinished_before(
        conn, conversation_id=conversation_id, message_id=message_id, since=since, limit=_MOST_TURNS
    )


def _outcome(receipt: Receipt) -> dict[str, Any]:
    return {
        "status": receipt.status,
        "reason": receipt.reason,
        "extraction_ids": [str(row_id) for row_id in receipt.extraction_ids],
    }


def _repeated(outcome: dict[str, Any]) -> Receipt:
    ids = tuple(UUID(row_id) for row_id in outcome.get("extraction_ids", ()))
    return Receipt(outcome.get("status", "accepted"), outcome.get("reason"), ids, repeated=True)
