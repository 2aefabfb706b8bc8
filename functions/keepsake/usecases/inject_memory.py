"""Makes the context for an answer: whose words, what may be used, what is relevant, rendered and accounted for.

No language model is waited for. Everything happens in one transaction: what the context says was used, was used. What a
message tells the memory to do is done before, in a transaction of its own.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any
from uuid import UUID, uuid4

from keepsake.domain.arms import Variant, variant_of
from keepsake.domain.budget import Limits
from keepsake.domain.commands import CommandResult, recognise
from keepsake.domain.guard import guard_injection
from keepsake.domain.identity_line import identity_line
from keepsake.domain.rendering import Block, Rendered, render
from keepsake.domain.scoring import Strategy
from keepsake.domain.selection import Chosen, Selection, select
from keepsake.domain.turns import readable_part
from keepsake.domain.zones import zone
from keepsake.errors import NotFound
from keepsake.identity import Person
from keepsake.infra.db import Connection, become_service, hidden_when_denied
from keepsake.infra.logs import log
from keepsake.infra.resources import Resources
from keepsake.store import injections, selection
from keepsake.store.injections import Asked, Injection
from keepsake.usecases.chat_commands import obey
from keepsake.usecases.message_vector import WORDS_ALONE, MessageVector, message_vector
from keepsake.usecases.told_command import listed, lists, saying_of

_HISTORY_MESSAGES = 20
_QUERY_LENGTH = 4_000
_NOTHING = Rendered("", (), (), 0)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a caller wants a context for: a saved message, or one about to be saved; and how much at most."""

    conversation_id: UUID
    message_id: UUID | None = None
    user_id: UUID | None = None
    user_message: str | None = None
    max_memories: int | None = None
    token_budget: int | None = None
    history: bool = False
    emotion_state: str | None = None
    relationship_stage: str | None = None


@dataclass(frozen=True, slots=True)
class Injected:
    """The context, the memories in it, and why there are none if there are none."""

    context: str = ""
    chosen: tuple[Chosen, ...] = ()
    token_count: int = 0
    variant: Variant = "treatment"
    injection_id: UUID | None = None
    reason: str | None = None
    history: dict[str, Any] | None = field(default=None)
    command: CommandResult | None = None
    """What came of the command that the message was."""


async def inject_memory(use: Resources, wish: Wish, *, person: Person | None = None) -> Injected:
    """The context for a message; a person gets it for their own message only, a service for any participant's."""
    now = use.clock.now()
    meaning = await _meaning(use, wish, person, now)
    async with _read(use, wish, person, now) as (conn, asked):
        ordered = asked.takes_part and recognise(asked.facts.text) is not None
        if not ordered:
            injected = await _inject(use, conn, wish, asked, now, meaning=meaning)
    if ordered:  # carried out first, in a transaction of its own, whose commit waits for the disk
        command = await obey(use, saying_of(asked), now)
        async with _read(use, wish, person, now) as (conn, asked):
            injected = await _inject(use, conn, wish, asked, now, meaning=meaning, command=command)
    use.metrics.injections.labels(injected.variant, injected.reason or "").inc()
    use.metrics.injection_tokens.observe(injected.token_count)
    use.metrics.injection_memories.observe(len(injected.chosen))
    return injected


@asynccontextmanager
async def _read(
    use: Resources, wish: Wish, person: Person | None, now: datetime
) -> AsyncIterator[tuple[Connection, Asked]]:
    """A transaction in which the message was read, by who may read it."""
    as_whom = partial(use.database.as_user, person) if person else use.database.as_service
    async with as_whom(routine=True, whole=True) as conn:
        if person is not None:
            await _check_own(conn, wish, person)
        yield conn, await _asked(conn, wish, now)


async def _meaning(use: Resources, wish: Wish, person: Person | None, now: datetime) -> MessageVector:
    """The message's vector where vectors are on and memories are looked for, waited for without a connection."""
    if use.embedder is None:
        return WORDS_ALONE
    async with _read(use, wish, person, now) as (_, asked):
        author = asked.facts.author
    if author is None or not asked.takes_part or guard_injection(asked.facts) is not None:
        return WORDS_ALONE
    if recognise(asked.facts.text) is not None or variant_of(author, use.settings.control_share) == "control":
        return WORDS_ALONE
    return await message_vector(use, _message(asked))


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
    use: Resources,
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
    variant = variant_of(author, use.settings.control_share)
    why_empty = reason.value if reason else ("control" if variant == "control" else None)
    if why_empty is None:
        rendered, chosen = await _context(use, conn, wish, asked, now, meaning=meaning, command=command)
    else:
        rendered, chosen = _outcome_alone(use, wish, asked, now, command)
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


async def _context(
    use: Resources,
    conn: Connection,
    wish: Wish,
    asked: Asked,
    now: datetime,
    *,
    meaning: MessageVector,
    command: CommandResult | None,
) -> tuple[Rendered, tuple[Chosen, ...]]:
    """Select from the author's own memories, and render what was chosen."""
    limits = _limits(use, wish, first_message=asked.first_message)
    selected = await _selected(use, conn, asked, now, limits=limits, meaning=meaning)
    if selected is None:
        return _NOTHING, ()
    block = Block(
        now=_local(now, asked),
        identity=identity_line(selected.identity, name=asked.name, nickname=asked.nickname, pronouns=asked.pronouns),
        chosen=listed(command, wish.max_memories) if lists(command) else selected.chosen,
        emotion_state=wish.emotion_state,
        relationship_stage=wish.relationship_stage,
        outcome=command.message if command else None,
    )
    return _rendered(use, block, limits)


async def _selected(
    use: Resources, conn: Connection, asked: Asked, now: datetime, *, limits: Limits, meaning: MessageVector
) -> Selection | None:
    """What the message gets of the author's own memories; None without an author, which the guard has seen to."""
    message, author, profile_id = _message(asked), asked.facts.author, asked.facts.profile_id
    if author is None or profile_id is None:
        return None
    strategy = Strategy(use.settings.selection_strategy)
    find = partial(
        selection.candidates,
        conn,
        user_id=author,
        profile_id=profile_id,
        persona_id=asked.persona_id,
        types=asked.allowed_types,
        now=now,
        languages=_languages(asked.locale),
        shared=asked.shared,
        strategy=strategy,
    )
    choose = partial(
        select,
        message=message,
        now=now,
        limits=limits,
        shared=asked.shared,
        strategy=strategy,
        words_only=None if meaning.why_not == "off" else meaning.why_not,
    )
    found = await find(query=message, question_vector=meaning.vector, vector_model=meaning.model)
    selected = choose(found)
    if asked.first_message and len(selected.chosen) < limits.memories:  # only then are all memories read
        known = {one.memory.id for one in found}
        best = [one for one in await find(query="", first_message=True) if one.memory.id not in known]
        selected = choose([*found, *best], first_message=True)
    return selected


def _outcome_alone(
    use: Resources, wish: Wish, asked: Asked, now: datetime, command: CommandResult | None
) -> tuple[Rendered, tuple[Chosen, ...]]:
    """What a person who is given no memories is told: what came of their command, if it was one."""
    if command is None:
        return _NOTHING, ()
    block = Block(now=_local(now, asked), chosen=listed(command, wish.max_memories), outcome=command.message)
    return _rendered(use, block, _limits(use, wish, first_message=asked.first_message))


def _rendered(use: Resources, block: Block, limits: Limits) -> tuple[Rendered, tuple[Chosen, ...]]:
    rendered = render(block, use.count_tokens, budget=limits.tokens)
    shown = set(rendered.memory_ids)
    return rendered, tuple(one for one in block.chosen if one.memory.id in shown)


def _message(asked: Asked) -> str:
    """As much of the message as is looked at."""
    return readable_part(asked.facts.text, _QUERY_LENGTH)[0]


def _limits(use: Resources, wish: Wish, *, first_message: bool) -> Limits:
    """The limits of the settings, which the caller may only lower."""
    settings = use.settings
    most = settings.first_token_budget if first_message else settings.token_budget
    wanted = settings.max_memories if wish.max_memories is None else min(settings.max_memories, wish.max_memories)
    tokens = most if wish.token_budget is None else min(most, wish.token_budget)
    return Limits.of(first_message=first_message, max_memories=wanted, token_budget=tokens)


def _local(now: datetime, asked: Asked) -> datetime:
    """The moment in the person's time zone; in UTC where theirs is not known."""
    known = zone(asked.timezone)
    if known is None and asked.timezone:
        _warn_of_zone(asked.facts.profile_id)
    return now.astimezone(known or UTC)


def _languages(locale: str | None) -> tuple[str, ...]:
    """What the message's words are stemmed by: the language of the person's locale, and English, which rules write."""
    own = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", locale or "")
    return (own[0].lower(), "en") if own else ("en",)


@lru_cache(maxsize=10_000)
def _warn_of_zone(profile_id: UUID | None) -> None:
    """Say once a profile that its time zone is none."""
    log.warning("a profile names an unknown time zone; UTC is used", profile_id=str(profile_id))
