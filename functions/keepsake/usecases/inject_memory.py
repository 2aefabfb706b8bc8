"""Makes the context for an answer: whose words, what may be used, what is relevant, rendered and accounted for.

No language model is waited for. Everything happens in one transaction: what the context says was used, was used. What a
message tells the memory to do is done before, in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from keepsake.domain.commands import CommandResult, recognize_answer
from keepsake.domain.commands.recognize import recognize
from keepsake.domain.consent.guard import guard_injection
from keepsake.domain.context.experiment import ExperimentArm, assign_arm
from keepsake.domain.context.selection import SelectedMemory
from keepsake.errors import NotFound
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, become_service, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import injections
from keepsake.store.injections import Asked, Injection
from keepsake.usecases.commands.pending_question import note_shown, pending_question
from keepsake.usecases.commands.run_command import obey
from keepsake.usecases.context.build_context import Wish, context, message_of, outcome_alone
from keepsake.usecases.context.command_listing import lists, saying_of
from keepsake.usecases.context.query_vector import WORDS_ALONE, MessageVector, message_vector

__all__ = ["Injected", "Wish", "inject_memory"]

_HISTORY_MESSAGES = 20


@dataclass(frozen=True, slots=True)
class Injected:
    """The context, the memories in it, and why there are none if there are none."""

    context: str = ""
    chosen: tuple[SelectedMemory, ...] = ()
    token_count: int = 0
    variant: ExperimentArm = "treatment"
    injection_id: UUID | None = None
    reason: str | None = None
    history: dict[str, Any] | None = field(default=None)
    command: CommandResult | None = None
    """What came of the command that the message was."""


async def inject_memory(resources: Resources, wish: Wish, *, person: Person | None = None) -> Injected:
    """The context for a message; a person gets it for their own message only, a service for any participant's."""
    now = resources.clock.now()
    meaning = await _meaning(resources, wish, person, now)
    async with _read(resources, wish, person, now) as (conn, asked):
        ordered = asked.takes_part and _orders(asked)
        if not ordered:
            injected = await _inject(resources, conn, wish, asked, now, meaning=meaning)
    if ordered:  # carried out first, in a transaction of its own, whose commit waits for the disk
        command = await obey(resources, saying_of(asked), now)
        async with _read(resources, wish, person, now) as (conn, asked):
            injected = await _inject(resources, conn, wish, asked, now, meaning=meaning, command=command)
    resources.metrics.injections.labels(injected.variant, injected.reason or "").inc()
    resources.metrics.injection_tokens.observe(injected.token_count)
    resources.metrics.injection_memories.observe(len(injected.chosen))
    return injected


@asynccontextmanager
async def _read(
    resources: Resources, wish: Wish, person: Person | None, now: datetime
) -> AsyncIterator[tuple[Connection, Asked]]:
    """A transaction in which the message was read, by who may read it."""
    as_whom = partial(resources.database.as_user, person) if person else resources.database.as_service
    async with as_whom(profile=Profile.HOT) as conn:
        if person is not None:
            await _check_own(conn, wish, person)
        yield conn, await _asked(conn, wish, now)


async def _meaning(resources: Resources, wish: Wish, person: Person | None, now: datetime) -> MessageVector:
    """The message's vector where vectors are on and memories are looked for, waited for without a connection."""
    if resources.embedder is None:
        return WORDS_ALONE
    async with _read(resources, wish, person, now) as (_, asked):
        author = asked.facts.author
    if author is None or not asked.takes_part or guard_injection(asked.facts) is not None:
        return WORDS_ALONE
    if _orders(asked) or assign_arm(author, resources.settings.control_share) == "control":
        return WORDS_ALONE
    return await message_vector(resources, message_of(asked))


def _orders(asked: Asked) -> bool:
    """Whether the message is a command, or may answer what an agent asked for."""
    text = asked.facts.text
    return recognize(text) is not None or (asked.has_requests and recognize_answer(text) is not None)


async def _check_own(conn: Connection, wish: Wish, person: Person) -> None:
    """What only the person's own rights can say: that they see this message, and that it is theirs."""
    with hidden_when_denied():
        seen = wish.message_id is not None and await injections.wrote(
            conn, conversation_id=wish.conversation_id, message_id=wish.message_id, user_id=person.user_id
        )
    if not seen:
        raise NotFound("There is no such message.")
    await become_service(conn)


async def _asked(conn: Connection, wish: Wish, now: datetime) -> Asked:
    asked = await injections.asked(
        conn,
        conversation_id=wish.conversation_id,
        message_id=wish.message_id,
        user_id=wish.user_id,
        user_message=wish.user_message,
        now=now,
    )
    if asked is None or (asked.message_id is None and not asked.takes_part):
        raise NotFound("There is no such message, or the person takes no part in the conversation.")
    return asked


async def _inject(
    resources: Resources,
    conn: Connection,
    wish: Wish,
    asked: Asked,
    now: datetime,
    *,
    meaning: MessageVector,
    command: CommandResult | None = None,
) -> Injected:
    """Guard, arm, selection and rendering; whatever comes of it is kept."""
    author = asked.facts.author
    reason = guard_injection(asked.facts)
    if author is None or not asked.takes_part:
        return Injected(reason=reason.value if reason else None)
    variant = assign_arm(author, resources.settings.control_share)
    why_empty = reason.value if reason else ("control" if variant == "control" else None)
    if why_empty is None:
        question = await pending_question(conn, asked, now)
        text = question.text if question else None
        rendered, chosen = await context(
            resources, conn, wish, asked, now, meaning=meaning, command=command, question=text
        )
        if question is not None and question.text in rendered.context:
            await note_shown(conn, question, asked)
    else:
        rendered, chosen = outcome_alone(resources, wish, asked, now, command)
    kept = Injection(
        id=uuid4(),
        user_id=author,
        conversation_id=asked.conversation_id,
        profile_id=asked.facts.profile_id if asked.facts.profile_owner == author else None,
        message_id=asked.message_id,
        memory_ids=rendered.memory_ids,
        used_ids=rendered.identity_ids if lists(command) else (*rendered.memory_ids, *rendered.identity_ids),
        token_count=rendered.token_count,
        variant=variant,
        reason=why_empty,
    )
    await injections.account(conn, kept, now=now)
    history = None
    if wish.history:
        history = await injections.last_messages(conn, conversation_id=wish.conversation_id, limit=_HISTORY_MESSAGES)
    return Injected(rendered.context, chosen, rendered.token_count, variant, kept.id, why_empty, history, command)
