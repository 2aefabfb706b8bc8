"""Chat commands: carried out once a message, whoever sees it first, in one transaction with the record of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.commands import Command, CommandResult, Kind, Outcome, recognize_answer
from keepsake.domain.commands.recognize import recognize
from keepsake.domain.commands.replies import reply_text
from keepsake.domain.consent.guard import GuardReason, TurnFacts, guard_extraction, guard_injection
from keepsake.domain.context.selection import is_private
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection, Profile
from keepsake.infra.resources import Resources
from keepsake.store import commands, extractions, pending_operations, turns
from keepsake.store.commands import CommandRecord, Said
from keepsake.store.locks import lock_commands
from keepsake.usecases import embed_memories
from keepsake.usecases.commands.handlers import Told, carry_out
from keepsake.usecases.commands.where import Where

_ABOUT_TO_BE_SAVED = timedelta(minutes=10)
_TOO_LATE = timedelta(days=7)
"""How long after it was said a command may still be carried out; as far back as turns are looked for."""
_MOST_KEPT_IDS = 200
_ANSWERS = (Kind.ACCEPT_REQUEST, Kind.REJECT_REQUEST)
_RECALLS = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)


@dataclass(frozen=True, slots=True)
class Saying:
    """A message and what is known of it; ``told`` where a context is about to say the outcome."""

    facts: TurnFacts
    conversation_id: UUID
    message_id: UUID | None
    persona_id: str | None
    allowed_types: frozenset[MemoryType]
    shared: bool = False
    told: bool = False
    turn_index: int | None = None
    timezone: str | None = None


async def obey(resources: Resources, saying: Saying, now: datetime) -> CommandResult | None:
    """Carry out the command that a message is, once; whoever comes later is told the same. None where it is none."""
    command, author = recognize(saying.facts.text) or recognize_answer(saying.facts.text), saying.facts.author
    if command is None or author is None or saying.facts.role != "user" or _is_history(saying, now):
        return None
    if reason := guard_injection(saying.facts):
        return None if _may_be_none(command) else _result(command, Outcome("unavailable", reason=reason), saying)
    said = Said(author, saying.conversation_id, saying.message_id, saying.facts.text, saying.facts.said_at)
    async with resources.database.as_service(Profile.LOCKING) as conn:
        await lock_commands(conn, user_id=author, conversation_id=said.conversation_id)
        known = await commands.recorded(conn, said, since=now - _ABOUT_TO_BE_SAVED, told=saying.told)
        if not await commands.still_said(conn, said) or (
            known is None and command.kind in _ANSWERS and not await pending_operations.to_answer(conn, said, now=now)
        ):
            return None
        if known is None and await _over_the_rate(resources, conn, author, now):
            return _result(command, Outcome("limited", reason="rate"), saying)
        if said.message_id is not None:
            at = {"user_id": author, "conversation_id": said.conversation_id, "message_id": said.message_id}
            await commands.end_turn(conn, **at, now=now)
        where = _where(resources, conn, saying, said, now)
        told = Told(command, said, where)
        outcome = await _first(told, saying) if known is None else await _again(told, known)
        if known is None and outcome is not None and command.kind == "remember":
            embed_memories.enqueue_embedding(resources, conn)
    if outcome is None:
        return None
    if known is None:
        resources.metrics.commands.labels(command.kind, outcome.status).inc()
    return _result(command, outcome, saying)


def _is_history(saying: Saying, now: datetime) -> bool:
    """Whether the message orders nothing any more, though an answer to it may be made anew."""
    return now - saying.facts.said_at > _TOO_LATE or guard_extraction(saying.facts) is GuardReason.BEFORE_CONSENT


async def obey_saved(resources: Resources, *, conversation_id: UUID, message_id: UUID) -> CommandResult | None:
    """Carry out the command of a saved message, if it is one and nobody has."""
    async with resources.database.as_service(Profile.HOT) as conn:
        turn = await turns.read(conn, conversation_id=conversation_id, message_id=message_id)
    if turn is None:
        return None
    saying = Saying(
        turn.facts,
        conversation_id,
        message_id,
        turn.persona_id,
        turn.allowed_types,
        turn_index=turn.turn_index,
        timezone=turn.timezone,
    )
    return await obey(resources, saying, resources.clock.now())


async def _first(told: Told, saying: Saying) -> Outcome | None:
    """Carry the command out and keep what came of it, in this one transaction."""
    outcome = await carry_out(told)
    if outcome is not None:
        became = _record(told.command, outcome)
        await commands.record(told.where.conn, told.said, became, told=saying.told, now=told.where.now)
    return outcome


async def _again(told: Told, known: CommandRecord) -> Outcome | None:
    """What came of the command before; a listing is made anew."""
    if told.command.kind in _RECALLS:
        return await carry_out(told)
    where = told.where
    found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=known.memory_ids)
    return Outcome(known.status, tuple(found), known.operation_id, known.reason, known.cancelled, known.total)


def _record(command: Command, outcome: Outcome) -> CommandRecord:
    """The outcome without a word of text."""
    ids = [memory.id for memory in outcome.memories]
    return CommandRecord(
        kind=command.kind,
        status=outcome.status,
        memory_ids=ids[:_MOST_KEPT_IDS],
        operation_id=outcome.operation_id,
        reason=outcome.reason,
        cancelled=outcome.cancelled,
        total=len(ids) if len(ids) > _MOST_KEPT_IDS else None,
    )


async def _over_the_rate(resources: Resources, conn: Connection, author: UUID, now: datetime) -> bool:
    """Whether the person has had all the commands and extractions that one minute may bring."""
    return await extractions.count_in_minute(conn, user_id=author, now=now) > resources.settings.extractions_per_minute


def _where(resources: Resources, conn: Connection, saying: Saying, said: Said, now: datetime) -> Where:
    facts = saying.facts
    if facts.profile_id is None:
        raise ValueError("a command is carried out for a profile")
    return Where(
        conn,
        resources.readers,
        said.user_id,
        facts.profile_id,
        now=now,
        said_at=said.said_at,
        conversation_id=said.conversation_id,
        message_id=said.message_id,
        turn_index=saying.turn_index,
        persona_id=saying.persona_id,
        mode=facts.mode,
        building=facts.building,
        allowed_types=saying.allowed_types,
        timezone=saying.timezone,
    )


def _result(command: Command, outcome: Outcome, saying: Saying) -> CommandResult:
    """The outcome as it is told; a listing that others read leaves out what is private."""
    if command.kind in _RECALLS and saying.shared:
        open_ones = tuple(memory for memory in outcome.memories if not is_private(memory))
        outcome = replace(outcome, memories=open_ones)
    message = reply_text(command, outcome, shared=saying.shared)
    return CommandResult(command.kind, outcome.status, message, outcome.memories, outcome.operation_id)


def _may_be_none(command: Command) -> bool:
    """Whether the words are a command only where there is something they speak of."""
    return command.is_ambiguous or command.kind is Kind.UNDO_LAST
