"""Records a saved message: commits a pending turn and its extraction job, and returns at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from keepsake.domain.consent.guard import GuardReason
from keepsake.domain.reading.commands import recognize, recognize_answer
from keepsake.errors import NotFound
from keepsake.infra.database import Connection, Job, Profile
from keepsake.infra.resources import Resources
from keepsake.store import extractions, turns, webhook_deliveries
from keepsake.store.turns import DueTurn
from keepsake.store.webhook_deliveries import DeliveredMessage, Receipt
from keepsake.usecases.commands.run_command import run_saved_command

EXTRACT_JOB = "extract_user_memory"
"""The name of the job that extracts one turn."""

LOOKS_BACK = timedelta(days=7)
"""How old a turn may be that is still extracted."""

GRACE = timedelta(minutes=2)
"""How long a job may take before ``run-due-jobs`` queues it again."""

_MAX_TURNS = 20
_ACCEPTED = 202


async def chat_send(
    resources: Resources, *, conversation_id: UUID, message_id: UUID, webhook_id: str | None = None
) -> Receipt:
    """Queue the turn of a message; an assistant's message queues the persons' unfinished messages before it."""
    now = await resources.synchronized_now()
    turn = DueTurn(conversation_id, message_id)
    expected = Receipt("accepted", None, (uuid4(),))
    async with resources.database.as_service(Profile.RECEIVING) as conn:
        message = await webhook_deliveries.note_message(
            conn,
            expected,
            **turn.key.params,
            webhook_id=webhook_id,
            status=_ACCEPTED,
            now=now,
            next_attempt_at=now + GRACE,
        )
        if webhook_id and (message is None or message.is_repeated):
            earlier = await webhook_deliveries.stored_outcome(conn, webhook_id=webhook_id)
            if earlier is not None:
                return earlier
        if message is None:
            raise NotFound("There is no such message.")
        if message.is_queued:
            receipt = replace(expected, reason=_reason(message))
            enqueue_turns(conn, [turn])
        else:
            receipt = await _note_others(conn, message, turn, now)
        if webhook_id and receipt != expected:
            await webhook_deliveries.store_outcome(conn, receipt, webhook_id=webhook_id)
    text = message.content if message.role == "user" else ""
    if recognize(text, resources.settings.assistant_name_list) or recognize_answer(text):
        await run_saved_command(resources, **turn.key.params)  # otherwise the job does
    return receipt


def enqueue_turns(conn: Connection, due: Sequence[DueTurn]) -> None:
    """Queue one job per turn when the transaction commits."""
    for turn in due:
        conn.enqueue_on_commit(Job(EXTRACT_JOB, turn.key.params))


def _reason(message: DeliveredMessage) -> str | None:
    """Why no memory is made of a person's message; what else consent forbids may be allowed until it is read."""
    return GuardReason.BEFORE_CONSENT.value if message.is_before_consent else None


async def _note_others(conn: Connection, message: DeliveredMessage, turn: DueTurn, now: datetime) -> Receipt:
    """The receipt of a message that queues nothing itself; an answer queues the messages before it."""
    if message.role == "user" and message.user_id is not None:
        return Receipt("accepted", _reason(message))  # noted before
    if message.role != "assistant":
        return Receipt("ignored", "nothing_to_extract")
    due = await turns.find_unfinished(conn, **turn.key.params, since=now - LOOKS_BACK, limit=_MAX_TURNS)
    queued = [
        (one, row_id)
        for one in due
        if (row_id := await extractions.ensure_pending(conn, one, now=now, next_attempt_at=now + GRACE))
    ]
    enqueue_turns(conn, [one for one, _ in queued])
    ids = tuple(row_id for _, row_id in queued)
    return Receipt("accepted", None, ids) if due else Receipt("ignored", "nothing_to_extract")
