"""Carries a chat command out: what "that" is, what a subject is, and what is done with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from keepsake.domain.commands import Command, Kind, Outcome
from keepsake.domain.commands.match_subject import search_words
from keepsake.domain.commands.recognize import recognize
from keepsake.domain.extraction import rules
from keepsake.domain.text import stem, words
from keepsake.errors import Conflict
from keepsake.infra.readers import DeadlineExceeded
from keepsake.store import commands, pending_operations
from keepsake.store.commands import Said, TurnBefore
from keepsake.store.locks import lock_consent
from keepsake.usecases.commands.forget import forget, forget_everything, known_about
from keepsake.usecases.commands.remember import remember
from keepsake.usecases.commands.where import Where

_STILL_MEANT = timedelta(days=1)
_MOST_SINCE = 3
"""Messages of the person after which "undo that" speaks of something else."""
_BEFORE_SAVED = timedelta(minutes=10)
"""How long before a message is saved a context may have been made for it."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command, the message it came in, and where it is carried out."""

    command: Command
    said: Said
    where: Where


async def carry_out(told: Told) -> Outcome | None:
    """Do what the command says; None where what it would speak of is not there, so that it was none."""
    if told.command.refers_to_itself and told.command.kind is not Kind.REMEMBER:
        return Outcome("done", reason="this_turn")
    return await _BY_KIND[told.command.kind](told)


async def _recall(told: Told) -> Outcome:
    found = await known_about(told.where, told.command.subject)
    return Outcome("done" if found else "nothing", tuple(found))


async def _remember(told: Told) -> Outcome:
    statement, where, before = told.command.statement, told.where, None
    if statement is None:
        before = await commands.turn_before(where.conn, told.said)
        if before is None or recognize(before.content) or not await _says_something(before, where):
            return Outcome("refused", reason="no_statement")
        statement, where = before.content, replace(where, message_id=before.message_id, said_at=before.said_at)
    building = await lock_consent(where.conn, user_id=told.said.user_id, conversation_id=told.said.conversation_id)
    return await remember(replace(where, building=building), statement, is_persona_only=told.command.is_persona_only)


async def _forget_subject(told: Told) -> Outcome:
    subject, where = told.command.subject or "", told.where
    before = await commands.turn_before(where.conn, told.said)
    about = {stem(word) for word in words(search_words(subject))}
    speaks_of_it = before is not None and about and about <= {stem(word) for word in words(before.content)}
    cancelled = await _cancel(told, before) if speaks_of_it else None
    outcome = await forget(where, subject=subject)
    if outcome.status == "nothing" and cancelled:
        return Outcome("done", cancelled=cancelled)
    return replace(outcome, cancelled=cancelled)


async def _forget_all(told: Told) -> Outcome:
    if not told.command.is_confirmation:
        return Outcome("confirm")
    asked = await commands.last_command(told.where.conn, told.said)
    if asked is None or (asked.kind, asked.status) != (Kind.FORGET_ALL, "confirm") or asked.messages_since > 1:
        return Outcome("confirm")
    cancelled = await _cancel(told, await commands.turn_before(told.where.conn, told.said))
    return replace(await forget_everything(told.where), cancelled=cancelled)


async def _do_not_remember(told: Told) -> Outcome | None:
    before = await commands.turn_before(told.where.conn, told.said)
    if before is None or recognize(before.content):
        return None if told.command.is_ambiguous else Outcome("nothing")
    if before.created:
        outcome = await forget(told.where, memory_ids=before.created)
        if outcome.status == "done":
            return outcome
    if told.command.is_ambiguous and not (not before.ended and await _says_something(before, told.where)):
        return None
    return Outcome("done", cancelled=await _cancel(told, before))


async def _forget_last(told: Told) -> Outcome | None:
    """By "that" is meant what the turn before made; else what it would have made; else the memory its answer used."""
    before = await commands.turn_before(told.where.conn, told.said)
    if before is None:
        return None if told.command.is_ambiguous else Outcome("nothing", reason="no_match")
    if earlier := recognize(before.content):
        return await _forget_of_command(told, earlier)
    made = await forget(told.where, memory_ids=before.made) if before.made else None
    if made is not None and made.status == "done":
        return made
    pending = not before.ended and await _says_something(before, told.where)
    if told.command.is_ambiguous and not pending:
        return None
    cancelled = await _cancel(told, before)
    if pending:
        return Outcome("done", cancelled=cancelled)
    return await _forget_used(told, before)


async def _forget_of_command(told: Told, earlier: Command) -> Outcome | None:
    """After a command "that" is what it remembered or brought back, or the one memory it listed."""
    last = await commands.last_command(told.where.conn, told.said)
    if last is None or last.kind != earlier.kind:
        return None if told.command.is_ambiguous else Outcome("nothing", reason="no_match")
    if earlier.kind in (Kind.REMEMBER, Kind.UNDO_LAST, Kind.RECALL_ALL, Kind.RECALL_SUBJECT):
        listed = earlier.kind in (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
        return await _one_of(told, last.memory_ids) if listed else await forget(told.where, memory_ids=last.memory_ids)
    return None if told.command.is_ambiguous else Outcome("nothing", reason="already")


async def _forget_used(told: Told, before: TurnBefore) -> Outcome:
    used = await commands.last_used(told.where.conn, told.said, since=before.said_at - _BEFORE_SAVED)
    return await _one_of(told, used)


async def _one_of(told: Told, ids: Sequence[UUID]) -> Outcome:
    """Forget the memory if it is one; of several none, until the person says which."""
    found = await commands.memories_by_id(told.where.conn, user_id=told.said.user_id, ids=ids, active=True)
    if len(found) > 1:
        return Outcome("which", tuple(found))
    return await forget(told.where, memory_ids=[memory.id for memory in found])


async def _undo(told: Told) -> Outcome | None:
    conn, said = told.where.conn, told.said
    last = await commands.last_command(conn, said, changing=True)
    if last is None or last.undone or last.messages_since > _MOST_SINCE:
        return None
    if said.said_at - last.said_at > _STILL_MEANT:
        return None
    operation_id = None
    if last.operation_id:
        try:
            operation_id = await commands.undo(conn, user_id=said.user_id, operation_id=last.operation_id)
        except Conflict:
            return Outcome("refused", reason="conflict")
    if last.cancelled:
        at = {"conversation_id": said.conversation_id, "message_id": last.cancelled}
        await commands.reopen_turn(conn, **at, now=told.where.now)
    found = await commands.memories_by_id(conn, user_id=said.user_id, ids=last.memory_ids)
    return Outcome("done", tuple(found), operation_id, reason=last.kind)


async def _accept(told: Told) -> Outcome | None:
    return await _settle(told, accepted=True)


async def _reject(told: Told) -> Outcome | None:
    return await _settle(told, accepted=False)


async def _settle(told: Told, *, accepted: bool) -> Outcome | None:
    """Carry out or cancel what the context before this message asked; None where it asked nothing."""
    conn, user_id, now = told.where.conn, told.said.user_id, told.where.now
    asked = await pending_operations.to_answer(conn, told.said, now=now)
    if asked is None:
        return None
    before = await commands.memories_by_id(conn, user_id=user_id, ids=asked.memory_ids, active=True)
    settled = await pending_operations.settle(conn, user_id=user_id, id=asked.id, accepted=accepted, now=now)
    if settled is None:
        return None
    found = await commands.memories_by_id(conn, user_id=user_id, ids=[memory.id for memory in before])
    return Outcome("done", tuple(found), settled.operation_id)


async def _cancel(told: Told, before: TurnBefore | None) -> UUID | None:
    """Let nothing be made of the turn before, if it still waits; its message, if it did."""
    if before is None or before.ended:
        return None
    said = told.said
    ended = await commands.end_turn(
        told.where.conn,
        user_id=said.user_id,
        conversation_id=said.conversation_id,
        message_id=before.message_id,
        now=told.where.now,
    )
    return before.message_id if ended else None


async def _says_something(before: TurnBefore, where: Where) -> bool:
    """Whether the turn before holds a statement that would be remembered; none that takes too long to find."""
    try:
        return bool(await where.readers.run(rules.extract, before.content, said_at=where.said_at))
    except DeadlineExceeded:
        return False


_BY_KIND: Mapping[Kind, Callable[[Told], Awaitable[Outcome | None]]] = {
    Kind.RECALL_ALL: _recall,
    Kind.RECALL_SUBJECT: _recall,
    Kind.REMEMBER: _remember,
    Kind.FORGET_LAST: _forget_last,
    Kind.FORGET_SUBJECT: _forget_subject,
    Kind.FORGET_ALL: _forget_all,
    Kind.DO_NOT_REMEMBER: _do_not_remember,
    Kind.UNDO_LAST: _undo,
    Kind.ACCEPT_REQUEST: _accept,
    Kind.REJECT_REQUEST: _reject,
}
