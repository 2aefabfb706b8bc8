"""Executes each kind of chat command: resolves "that" and the subject, and changes the memories."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from uuid import UUID

from keepsake.domain.commands.match_subject import search_words
from keepsake.domain.commands.outcome import Outcome
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Memory, Status
from keepsake.domain.reading.commands import Command, Kind, recognize
from keepsake.domain.reading.statements import extract
from keepsake.domain.text import stem, words
from keepsake.errors import Conflict, NotFound
from keepsake.infra.readers import Readers
from keepsake.store import chat_commands, memories, pending_operations
from keepsake.store.chat_commands import PreviousTurn
from keepsake.store.locks import lock_consent
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.commands.find_memories import find_memories_about, read_subject
from keepsake.usecases.commands.forget import forget, forget_active, forget_everything
from keepsake.usecases.commands.pending_question import pending_memories
from keepsake.usecases.commands.remember import remember
from keepsake.usecases.commands.undo_message import undo_message

_UNDO_MAX_AGE = timedelta(days=1)
_UNDO_MAX_MESSAGES = 3
"""Messages of the person after which "undo that" refers to something else."""
_UNSAVED_MAX_AGE = timedelta(minutes=10)
"""How long before a message is saved its context may have been injected."""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A command, the message that contains it, and the writer that executes it."""

    command: Command
    turn: TurnContext
    writer: MemoryWriter
    readers: Readers


async def execute(run: CommandRun) -> Outcome | None:
    """Execute a command; None where it can refer to nothing, which shows that the message was no command."""
    if run.command.refers_to_itself and run.command.kind is not Kind.REMEMBER:
        return Outcome("done", reason="this_turn")
    return await _BY_KIND[run.command.kind](run)


async def _recall(run: CommandRun) -> Outcome | None:
    about = run.command.subject
    subject = None if about is None else await read_subject(run.readers, about)
    found = await find_memories_about(run.writer, subject)
    if not found and about is not None and run.command.is_ambiguous:
        return None
    return Outcome("done" if found else "nothing", tuple(found))


async def _remember(run: CommandRun) -> Outcome | None:
    statement, writer = run.command.statement, run.writer
    if statement is None:
        previous = await chat_commands.previous_turn(writer.conn, run.turn)
        if previous is None or await _command_of(run, previous) or not await _has_statement(run, previous):
            return None if run.command.is_ambiguous else Outcome("refused", reason="no_statement")
        origin = replace(writer.origin, message_id=previous.message_id, said_at=previous.said_at)
        statement, writer = previous.content, replace(writer, origin=origin)
    if not await lock_consent(writer.conn, **writer.profile.params, conversation_id=run.turn.conversation_id):
        return Outcome("paused", reason="paused")
    command = run.command
    return await remember(writer, run.readers, statement, said=command.said, is_persona_only=command.is_persona_only)


async def _set_building(run: CommandRun, *, building: bool) -> Outcome:
    await chat_commands.set_building(run.writer.conn, user_id=run.writer.user_id, building=building)
    return Outcome("done")


async def _command_of(run: CommandRun, previous: PreviousTurn) -> Command | None:
    """The command that the previous message was; an ambiguous one is none where it was not carried out."""
    found = recognize(previous.content, run.turn.assistant_names)
    if found is None or not found.is_ambiguous:
        return found
    last = await chat_commands.last_command(run.writer.conn, run.turn)
    return found if last is not None and last.messages_since == 0 else None


async def _forget_subject(run: CommandRun) -> Outcome | None:
    subject, writer = run.command.subject or "", run.writer
    previous = await chat_commands.previous_turn(writer.conn, run.turn)
    terms = {stem(word) for word in words(search_words(subject))}
    mentions_subject = previous is not None and terms and terms <= {stem(word) for word in words(previous.content)}
    cancelled = await _cancel(run, previous) if mentions_subject else None
    outcome = await forget(writer, run.readers, subject)
    if outcome.status == "nothing" and cancelled:
        return Outcome("done", cancelled=cancelled)
    if outcome.status == "nothing" and run.command.is_ambiguous:
        return None
    return replace(outcome, cancelled=cancelled)


async def _forget_all(run: CommandRun) -> Outcome:
    if not run.command.is_confirmation:
        return Outcome("confirm")
    last = await chat_commands.last_command(run.writer.conn, run.turn)
    if last is None or (last.kind, last.status) != (Kind.FORGET_ALL, "confirm") or last.messages_since > 1:
        return Outcome("confirm")
    cancelled = await _cancel(run, await chat_commands.previous_turn(run.writer.conn, run.turn))
    return replace(await forget_everything(run.writer), cancelled=cancelled)


async def _do_not_remember(run: CommandRun) -> Outcome | None:
    previous = await chat_commands.previous_turn(run.writer.conn, run.turn)
    earlier = None if previous is None else await _command_of(run, previous)
    if earlier is not None and earlier.kind is Kind.REMEMBER:
        last = await chat_commands.last_command(run.writer.conn, run.turn)
        if last is not None and last.kind == Kind.REMEMBER and last.operation_id is not None and not last.undone:
            return await _undo(run)
    if previous is None or earlier is not None:
        return None if run.command.is_ambiguous else Outcome("nothing")
    outcome = None if previous.only_repeats else await undo_message(run.writer, previous)
    if outcome is not None:
        return outcome
    if run.command.is_ambiguous and not (not previous.is_finished and await _has_statement(run, previous)):
        return None
    return Outcome("done", cancelled=await _cancel(run, previous))


async def _forget_last(run: CommandRun) -> Outcome | None:
    """Forget what the previous turn states; else take back what it changed; else the memory that its answer used."""
    previous = await chat_commands.previous_turn(run.writer.conn, run.turn)
    if previous is None:
        return None if run.command.is_ambiguous else Outcome("nothing", reason="no_match")
    if earlier := await _command_of(run, previous):
        return await _forget_result_of(run, earlier)
    outcome = await forget_active(run.writer, previous.stated_ids)
    if not previous.stated_ids:
        outcome = await undo_message(run.writer, previous) or outcome
    if outcome.status != "nothing":
        return outcome
    pending = not previous.is_finished and await _has_statement(run, previous)
    if run.command.is_ambiguous and not pending:
        return None
    cancelled = await _cancel(run, previous)
    if pending:
        return Outcome("done", cancelled=cancelled)
    if previous.status == "skipped" and not previous.content.rstrip().endswith("?"):
        injected: Sequence[UUID] = ()  # said while memory was paused: nothing older is meant
    else:
        since = previous.said_at - _UNSAVED_MAX_AGE
        injected = await chat_commands.last_injected(run.writer.conn, run.turn, since=since)
    return await _forget_single(run, injected)


async def _forget_result_of(run: CommandRun, earlier: Command) -> Outcome | None:
    """Forget what the previous command remembered or restored, or the one memory that it listed."""
    last = await chat_commands.last_command(run.writer.conn, run.turn)
    if last is None or last.kind != earlier.kind:
        return None if run.command.is_ambiguous else Outcome("nothing", reason="no_match")
    if earlier.kind in (Kind.REMEMBER, Kind.UNDO_LAST, Kind.RECALL_ALL, Kind.RECALL_SUBJECT):
        is_listing = earlier.kind in (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
        ids = last.memory_ids
        return await _forget_single(run, ids) if is_listing else await forget_active(run.writer, ids)
    return None if run.command.is_ambiguous else Outcome("nothing", reason="already")


async def _forget_single(run: CommandRun, ids: Sequence[UUID]) -> Outcome:
    """Forget the memory if it is only one; of several none, until the person says which."""
    found = await memories.by_id(run.writer.conn, user_id=run.writer.user_id, ids=ids, active=True)
    if len(found) > 1:
        return Outcome("which", tuple(found))
    return await forget_active(run.writer, [memory.id for memory in found])


async def _undo(run: CommandRun) -> Outcome | None:
    conn, turn, user_id = run.writer.conn, run.turn, run.writer.user_id
    last = await chat_commands.last_command(conn, turn, changing=True)
    if run.command.is_ambiguous and (last is None or last.messages_since > 0):
        return await _undo_extraction(run)  # a bare "undo" is about the previous message alone
    if last is None or last.undone or last.messages_since > _UNDO_MAX_MESSAGES:
        return None
    if turn.said_at - last.said_at > _UNDO_MAX_AGE:
        return None
    operation_id = None
    before = await memories.by_id(conn, user_id=user_id, ids=last.memory_ids)
    if last.operation_id:
        try:
            operation_id = await chat_commands.undo(conn, user_id=user_id, operation_id=last.operation_id)
        except (Conflict, NotFound):
            return Outcome("refused", reason="conflict")
    if last.cancelled:
        await chat_commands.reopen_turn(
            conn, conversation_id=turn.conversation_id, message_id=last.cancelled, now=run.writer.now
        )
    return await _undone(run, before, operation_id)


async def _undone(run: CommandRun, before: Sequence[Memory], operation_id: UUID | None) -> Outcome:
    """The outcome of an undo, with the memories that are remembered again, and those that no longer are."""
    found = await memories.by_id(run.writer.conn, user_id=run.writer.user_id, ids=[memory.id for memory in before])
    states = {memory.id: memory.status for memory in found}
    after = [memory._replace(status=states.get(memory.id, Status.DELETED)) for memory in before]
    changed = [now for now, then in zip(after, before, strict=True) if now.status is not then.status]
    restored = any(memory.status is Status.ACTIVE for memory in changed)
    return Outcome("done", tuple(changed), operation_id, reason="restored" if restored or not changed else "removed")


async def _undo_extraction(run: CommandRun) -> Outcome | None:
    """Undo what the previous message made or changed; None where it did nothing."""
    conn, user_id = run.writer.conn, run.writer.user_id
    previous = await chat_commands.previous_turn(conn, run.turn)
    if previous is None or previous.operation_id is None:
        return None
    before = await memories.by_id(conn, user_id=user_id, ids=list(previous.actions))
    try:
        operation_id = await chat_commands.undo(conn, user_id=user_id, operation_id=previous.operation_id)
    except (Conflict, NotFound):
        return Outcome("refused", reason="conflict")
    return await _undone(run, before, operation_id)


async def _resolve(run: CommandRun, *, accepted: bool) -> Outcome | None:
    """Execute or cancel what the previous context asked about; None where it asked nothing."""
    conn, user_id, now = run.writer.conn, run.writer.user_id, run.writer.now
    pending = await pending_operations.find_answered(conn, run.turn, now=now)
    if pending is None:
        return None
    previous = await pending_memories(conn, pending, user_id=user_id)
    resolved = await pending_operations.resolve(conn, user_id=user_id, id=pending.id, accepted=accepted, now=now)
    if resolved is None:
        return None
    found = await memories.by_id(conn, user_id=user_id, ids=[memory.id for memory in previous])
    return Outcome("done", tuple(found), resolved.operation_id)


async def _cancel(run: CommandRun, previous: PreviousTurn | None) -> UUID | None:
    """End the extraction of the previous turn if it has not finished; returns its message if so."""
    if previous is None or previous.is_finished:
        return None
    ended = await chat_commands.end_turn(
        run.writer.conn,
        user_id=run.writer.user_id,
        conversation_id=run.turn.conversation_id,
        message_id=previous.message_id,
        now=run.writer.now,
    )
    return previous.message_id if ended else None


async def _has_statement(run: CommandRun, previous: PreviousTurn) -> bool:
    """Whether the rules find a statement in the previous turn."""
    return bool(await run.readers.run_or([], extract, previous.content))


_BY_KIND: Mapping[Kind, Callable[[CommandRun], Awaitable[Outcome | None]]] = {
    Kind.RECALL_ALL: _recall,
    Kind.RECALL_SUBJECT: _recall,
    Kind.REMEMBER: _remember,
    Kind.FORGET_LAST: _forget_last,
    Kind.FORGET_SUBJECT: _forget_subject,
    Kind.FORGET_ALL: _forget_all,
    Kind.DO_NOT_REMEMBER: _do_not_remember,
    Kind.UNDO_LAST: _undo,
    Kind.ACCEPT_REQUEST: partial(_resolve, accepted=True),
    Kind.REJECT_REQUEST: partial(_resolve, accepted=False),
    Kind.PAUSE: partial(_set_building, building=False),
    Kind.RESUME: partial(_set_building, building=True),
}
