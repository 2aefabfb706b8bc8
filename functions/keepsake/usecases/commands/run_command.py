"""Runs a chat command once per message, whoever sees it first, in one transaction with the record of its result."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.commands.outcome import CommandResult, Outcome
from keepsake.domain.commands.replies import reply_text
from keepsake.domain.consent.guard import GuardReason, guard_extraction, guard_injection
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.context.selection import is_private
from keepsake.domain.memory import Source
from keepsake.domain.reading.commands import Command, Kind, recognize, recognize_answer
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import chat_commands, memories, operations, pending_operations, turns
from keepsake.store.chat_commands import CommandRecord
from keepsake.store.locks import lock_commands
from keepsake.store.operations import MemoryWriter
from keepsake.store.row_keys import TurnKey
from keepsake.usecases.commands.handlers import CommandRun, execute

_UNSAVED_MAX_AGE = timedelta(minutes=10)
_COMMAND_MAX_AGE = timedelta(days=7)
"""How old a message may be whose command still runs: as old as turns that are extracted."""
_MAX_RECORDED_IDS = 200
RECALLS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)


async def run_command(
    resources: Resources, turn: TurnContext, now: datetime, *, shared: bool = False, shown_in_context: bool = False
) -> CommandResult | None:
    """Run the command that a message contains, once; later calls return the same result. None where it contains none.

    With ``shared`` others read the result; with ``shown_in_context`` a context is about to show it.
    """
    answer = recognize_answer(turn.text)
    command = recognize(turn.text, turn.assistant_names) or answer
    if command is None or turn.author is None or turn.role != "user" or _is_too_old(turn, now):
        return None
    if reason := guard_injection(turn):
        unavailable = Outcome("unavailable", reason=reason)
        return None if _is_ambiguous(command) else _result(command, unavailable, shared=shared)
    await resources.prepare_reading()
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_commands(conn, user_id=turn.author, conversation_id=turn.conversation_id)
        earlier = await chat_commands.find_result(
            conn, turn, since=now - _UNSAVED_MAX_AGE, shown_in_context=shown_in_context
        )
        if earlier is None and answer is not None:  # "actually keep it" answers what waits, and else takes back
            command = await _resolve_answer(conn, answer, turn, now) or (None if command is answer else command)
        if command is None or not await chat_commands.still_counts(conn, turn):
            return None
        writer = MemoryWriter.of_turn(conn, turn, source=Source.USER, actor="user", now=now)
        run = CommandRun(command, turn, writer, resources.readers)
        try:
            async with conn.transaction():  # what is no command after all leaves no trace
                outcome = await _run(resources, run, earlier, shown_in_context=shown_in_context)
        except _NoCommand:
            return None
        if earlier is None and command.kind == "remember":
            resources.enqueue_embedding(conn)
    if earlier is None and outcome.status != "limited":
        resources.metrics.commands.labels(command.kind, outcome.status).inc()
    return _result(command, outcome, shared=shared)


async def _resolve_answer(conn: Connection, answer: Command, turn: TurnContext, now: datetime) -> Command | None:
    """The command that a "yes" or "no" is: the confirmation to forget everything if that was asked directly before.

    Else it answers what an agent requests; None where nothing waits for an answer.
    """
    last = await chat_commands.last_command(conn, turn) if answer.kind is Kind.ACCEPT_REQUEST else None
    if last is not None and (last.kind, last.status, last.messages_since) == (Kind.FORGET_ALL, "confirm", 0):
        return Command(Kind.FORGET_ALL, is_confirmation=True)
    return answer if await pending_operations.find_answered(conn, turn, now=now) is not None else None


async def run_saved_command(resources: Resources, *, conversation_id: UUID, message_id: UUID) -> CommandResult | None:
    """Run the command of a saved message, if it contains one that did not run yet."""
    now = resources.clock.now()
    async with resources.database.as_service(Profile.HOT) as conn:
        names = resources.settings.assistant_name_list
        key = TurnKey(conversation_id, message_id)
        turn = await turns.read(conn, **key.params, now=now, assistant_names=names)
    return None if turn is None else await run_command(resources, turn, now)


def _is_too_old(turn: TurnContext, now: datetime) -> bool:
    """Whether the message commands nothing any more, though its answer may be generated again."""
    return now - turn.said_at > _COMMAND_MAX_AGE or guard_extraction(turn) is GuardReason.BEFORE_CONSENT


class _NoCommand(Exception):
    """The words of a message refer to nothing, which shows that they are no command."""


async def _run(
    resources: Resources, run: CommandRun, earlier: CommandRecord | None, *, shown_in_context: bool
) -> Outcome:
    """Run the command, or give the result of its first run; the turn ends with it. Raises _NoCommand.

    A turn that was read already, because its words referred to nothing, is no command later.
    """
    writer, turn, is_ambiguous = run.writer, run.turn, run.command.is_ambiguous and earlier is None
    if earlier is None and await _exceeds_rate_limit(resources, writer.conn, writer.user_id, writer.now):
        if is_ambiguous:
            raise _NoCommand
        return Outcome("limited", reason="rate")
    if turn.message_id is not None:
        ids = {"conversation_id": turn.conversation_id, "message_id": turn.message_id}
        ended = await chat_commands.end_turn(writer.conn, **ids, user_id=writer.user_id, now=writer.now)
        if is_ambiguous and ended is None:
            raise _NoCommand
    outcome = await (_replay(run, earlier) if earlier else _execute(run, shown_in_context=shown_in_context))
    if outcome is None:
        raise _NoCommand
    return outcome


async def _execute(run: CommandRun, *, shown_in_context: bool) -> Outcome | None:
    """Execute the command and record its result, in this transaction."""
    outcome = await execute(run)
    if outcome is not None:
        writer, record = run.writer, _record(run.command, outcome)
        await chat_commands.record_result(
            writer.conn, run.turn, record, shown_in_context=shown_in_context, now=writer.now
        )
    return outcome


async def _replay(run: CommandRun, earlier: CommandRecord) -> Outcome | None:
    """The result of the first run; a recall is executed again."""
    if run.command.kind in RECALLS:
        return await execute(run)
    found = await memories.by_id(run.writer.conn, user_id=run.writer.user_id, ids=earlier.memory_ids)
    return Outcome(earlier.status, tuple(found), earlier.operation_id, earlier.reason, earlier.cancelled, earlier.total)


def _record(command: Command, outcome: Outcome) -> CommandRecord:
    """The outcome without any text."""
    ids = [memory.id for memory in outcome.memories]
    return CommandRecord(
        kind=command.kind,
        status=outcome.status,
        memory_ids=ids[:_MAX_RECORDED_IDS],
        operation_id=outcome.operation_id,
        reason=outcome.reason,
        cancelled=outcome.cancelled,
        total=len(ids) if len(ids) > _MAX_RECORDED_IDS else None,
    )


async def _exceeds_rate_limit(resources: Resources, conn: Connection, author: UUID, now: datetime) -> bool:
    """Count the command against the person's rate limit; returns whether it exceeds the limit."""
    return await operations.increment_rate(conn, user_id=author, now=now) > resources.settings.extractions_per_minute


def _result(command: Command, outcome: Outcome, *, shared: bool) -> CommandResult:
    """The result with its message; a recall that others read leaves out what is private."""
    if command.kind in RECALLS and shared:
        public = tuple(memory for memory in outcome.memories if not is_private(memory))
        outcome = replace(outcome, memories=public)
    message = reply_text(command, outcome, shared=shared)
    return CommandResult(command.kind, outcome.status, message, outcome.memories, outcome.operation_id, outcome.reason)


def _is_ambiguous(command: Command) -> bool:
    """Whether the words are a command only where there is something that they refer to."""
    return command.is_ambiguous or command.kind is Kind.UNDO_LAST
