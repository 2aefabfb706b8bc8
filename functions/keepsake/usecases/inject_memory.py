"""Injects memories: checks consent, runs a command, builds the context for an answer, and records the injection.

No language model is called. The context is built and recorded in one transaction, so that exactly the memories in it
are counted as used. A command runs before, in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID, uuid4

from keepsake.domain.commands.outcome import CommandResult
from keepsake.domain.consent.guard import GuardReason, guard_injection, is_before_consent
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.context.experiment import ExperimentArm, assign_arm
from keepsake.domain.context.render import Rendered
from keepsake.domain.context.selection import SelectedMemory
from keepsake.domain.reading.commands import NOTICE, may_be_command, may_follow_command, recognize, recognize_answer
from keepsake.errors import NotFound
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, become_service, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import chat_commands, injections, pending_operations, unscreened_edits
from keepsake.store.injections import History, Injection, InjectionTurn, RequestedTurn
from keepsake.usecases.commands.model_forget import find_receipt
from keepsake.usecases.commands.pending_question import find_question
from keepsake.usecases.commands.run_command import run_command
from keepsake.usecases.context.build_context import ContextBuilder, ContextRequest, query_text
from keepsake.usecases.context.query_vector import NO_VECTOR, MessageVector, embed_message
from keepsake.usecases.screening.screen_edits import rejection_notice, screen_edits

__all__ = ["ContextRequest", "Injected", "inject_memory"]

_HISTORY_MESSAGES = 20


@dataclass(frozen=True, slots=True)
class Injected:
    """The context, the memories in it, and the reason where there are none."""

    context: str = ""
    chosen: tuple[SelectedMemory, ...] = ()
    memory_ids: Sequence[UUID] = ()
    """The memories that the context uses, those of the identity line included."""
    summary_ids: Sequence[UUID] = ()
    message_ids: Sequence[UUID] = ()
    """The messages that the summaries in the context rest on."""
    token_count: int = 0
    variant: ExperimentArm = "treatment"
    injection_id: UUID | None = None
    reason: str | None = None
    history: History | None = None
    command: CommandResult | None = None
    """The result of the command that the message contains."""


async def inject_memory(resources: Resources, request: ContextRequest, *, person: Person | None = None) -> Injected:
    """The context for a message; a person gets it for their own message only, a service for any participant's."""
    now = resources.clock.now()
    vector = await _query_vector(resources, request, person, now)
    async with _read(resources, request, person, now) as (conn, turn, history):
        is_command = turn.takes_part and not turn.is_read_only and _is_command(turn)
        edited_by = turn.turn.author if turn.has_unscreened_edits and not turn.is_read_only else None
        if not is_command and edited_by is None:
            injected = await _inject(ContextBuilder(resources, conn, request, turn, now, vector), history)
    if edited_by is not None:
        await screen_edits(resources, edited_by)
    if is_command or edited_by is not None:  # first, in transactions of their own, whose commits wait for the disk
        command = None
        if is_command:
            command = await run_command(resources, turn.turn, now, shared=turn.shared, shown_in_context=True)
        async with _read(resources, request, person, now) as (conn, turn, history):
            injected = await _inject(ContextBuilder(resources, conn, request, turn, now, vector, command), history)
    resources.metrics.injections.labels(injected.variant, injected.reason or "").inc()
    resources.metrics.injection_tokens.observe(injected.token_count)
    resources.metrics.injection_memories.observe(len(injected.chosen))
    if vector.outcome is not None:
        resources.metrics.note_vector_outcome(vector.outcome)
    return injected


@asynccontextmanager
async def _read(
    resources: Resources, request: ContextRequest, person: Person | None, now: datetime
) -> AsyncIterator[tuple[Connection, InjectionTurn, History | None]]:
    """A transaction in which the message was read, after a check that the caller may read it.

    The history is read with the rights of the caller: a host may hide messages from those who take part.
    """
    begin = partial(resources.database.as_user, person) if person else resources.database.as_service
    async with begin(profile=Profile.HOT) as conn:
        if person is not None:
            await _check_author(conn, request, person)
        history = await _read_history(conn, request)
        if person is not None:
            await become_service(conn)
        if history is not None and history.summary is not None:
            is_outdated = await injections.is_summary_outdated(conn, conversation_id=request.conversation_id)
            history = replace(history, summary=None) if is_outdated else history
        found = await _read_turn(await _request_turn(conn, request, now), resources)
        yield conn, found, history


async def _query_vector(
    resources: Resources, request: ContextRequest, person: Person | None, now: datetime
) -> MessageVector:
    """The vector of the message, where vectors are on and memories are selected; no connection is open meanwhile."""
    if resources.embedder is None:
        return NO_VECTOR
    begin = partial(resources.database.as_user, person) if person else resources.database.as_service
    async with begin(profile=Profile.HOT) as conn:
        if person is not None:
            await _check_author(conn, request, person)
            await become_service(conn)
        requested = await _request_turn(conn, request, now)
    turn = await _read_turn(requested, resources)  # its answer came with that of the commit
    author = turn.turn.author
    if author is None or not turn.takes_part or guard_injection(turn.turn) is not None:
        return NO_VECTOR
    if _is_command(turn) or assign_arm(author, resources.settings.control_share) == "control":
        return NO_VECTOR
    return await embed_message(resources, query_text(turn.turn))


def _is_command(injected: InjectionTurn) -> bool:
    """Whether the message is a command, or may answer a pending question."""
    text = injected.turn.text
    is_command = recognize(text, injected.turn.assistant_names) is not None
    return is_command or (injected.has_requests and recognize_answer(text) is not None)


async def _check_author(conn: Connection, request: ContextRequest, person: Person) -> None:
    """Check with the person's own rights that they can see the message and wrote it."""
    with hidden_when_denied():
        is_author = request.message_id is not None and await injections.is_author(
            conn, conversation_id=request.conversation_id, message_id=request.message_id, user_id=person.user_id
        )
    if not is_author:
        raise NotFound("There is no such message.")


async def _read_history(conn: Connection, request: ContextRequest) -> History | None:
    if not request.history:
        return None
    with hidden_when_denied():
        return await injections.read_history(conn, conversation_id=request.conversation_id, limit=_HISTORY_MESSAGES)


async def _request_turn(conn: Connection, request: ContextRequest, now: datetime) -> RequestedTurn:
    return await injections.request_turn(
        conn,
        conversation_id=request.conversation_id,
        message_id=request.message_id,
        user_id=request.user_id,
        user_message=request.user_message,
        now=now,
    )


async def _read_turn(requested: RequestedTurn, resources: Resources) -> InjectionTurn:
    found = await requested.read(resources.settings.assistant_name_list)
    if found is None or (found.turn.message_id is None and not found.takes_part):
        raise NotFound("There is no such message, or the person takes no part in the conversation.")
    return found


async def _inject(builder: ContextBuilder, history: History | None) -> Injected:
    """Check consent, assign the experiment arm, build the context, and record the injection."""
    injected, turn, author = builder.injected, builder.injected.turn, builder.injected.turn.author
    reason = guard_injection(turn)
    if author is None or not injected.takes_part:
        return Injected(reason=reason.value if reason else None)
    variant = assign_arm(author, builder.resources.settings.control_share)
    no_memory_reason = reason.value if reason else ("control" if variant == "control" else None)
    if no_memory_reason is None:
        rendered, chosen = await _build_with_notices(builder, author)
        if not chosen and is_before_consent(turn):
            no_memory_reason = GuardReason.BEFORE_CONSENT.value
    else:
        rendered, chosen = builder.build_without_memories()
    record = Injection(
        id=uuid4(),
        user_id=author,
        conversation_id=turn.conversation_id,
        profile_id=turn.profile_id if turn.consent.profile_owner == author else None,
        message_id=turn.message_id,
        memory_ids=tuple(dict.fromkeys((*rendered.memory_ids, *rendered.identity_ids))),
        summary_ids=tuple(one.id for one in rendered.summaries),
        message_ids=tuple(dict.fromkeys(said for one in rendered.summaries for said in one.message_ids)),
        memory_count=len(rendered.memory_ids),
        used_ids=[one.memory.id for one in chosen if one.is_requested],
        token_count=rendered.token_count,
        variant=variant,
        reason=no_memory_reason,
        vector_outcome=builder.vector.outcome,
    )
    if not injected.is_read_only:
        await injections.record_injection(builder.conn, record, now=builder.now)
    return Injected(
        context=rendered.context,
        chosen=chosen,
        memory_ids=record.memory_ids,
        summary_ids=record.summary_ids,
        message_ids=record.message_ids,
        token_count=rendered.token_count,
        variant=variant,
        injection_id=None if injected.is_read_only else record.id,
        reason=no_memory_reason,
        history=history,
        command=builder.command,
    )


async def _is_unrecognized(conn: Connection, turn: TurnContext) -> bool:
    """Whether the message may be meant as a command, by its own words or by those of the message before."""
    if may_be_command(turn.text):
        return True
    if not may_follow_command(turn.text):
        return False
    before = await chat_commands.text_before(conn, turn)
    return before is not None and (recognize(before) is not None or may_be_command(before))


async def _build_with_notices(builder: ContextBuilder, author: UUID) -> tuple[Rendered, tuple[SelectedMemory, ...]]:
    """Build the context with what the person has to be asked or told, and note what it contains of that."""
    conn, injected = builder.conn, builder.injected
    question, notice = await find_question(conn, injected, builder.now), None
    if injected.has_rejections and not injected.shared:
        notice = rejection_notice(await unscreened_edits.list_rejections(conn, user_id=author))
    receipt = await find_receipt(conn, injected, builder.now)
    unknown = NOTICE if builder.command is None and await _is_unrecognized(conn, injected.turn) else None
    parts = (unknown, notice, receipt.text if receipt else None, question.text if question else None)
    text = " ".join(filter(None, parts)) or None
    rendered, chosen = await builder.build(text)
    if not injected.is_read_only:
        if question is not None and question.text in rendered.context:
            await pending_operations.mark_shown(conn, question.pending, injected.turn)
        if notice is not None and notice in rendered.context:
            await unscreened_edits.forget_rejections(conn, user_id=author)
        if receipt is not None and receipt.text in rendered.context:
            await chat_commands.mark_receipts_shown(conn, receipt.ids, user_id=author)
    return rendered, chosen
