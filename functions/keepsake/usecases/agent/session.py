"""For whom an agent acts, and in which turn: checked as the person where it is the person who calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.consent.guard import guard_injection
from keepsake.domain.memory import Source
from keepsake.errors import NotFound, RateLimited
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, become_service, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import agents, extractions, injections
from keepsake.store.injections import Asked
from keepsake.store.locks import lock_out_erasure
from keepsake.usecases import embed_memories
from keepsake.usecases.commands.where import Where


@dataclass(frozen=True, slots=True)
class Agent:
    """Whom an agent acts for: a person by their token, or by their id on a service's word; and in which turn."""

    person: Person | None = None
    user_id: UUID | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Acting:
    """Where the agent acts; without a place, the ``reason`` why it may not. ``shared``: others read what it reads.

    ``asked`` is the turn it acts in, as far as it is known.
    """

    conn: Connection
    where: Where | None
    reason: str | None = None
    shared: bool = False
    asked: Asked | None = None
    names: tuple[str, ...] = ()
    """What the person is called: an agent may speak of them by name."""


@asynccontextmanager
async def acting(resources: Resources, agent: Agent, *, changes: bool) -> AsyncIterator[Acting]:
    """A transaction in which an agent acts; one that ``changes`` something counts against the person's rate."""
    person = agent.person
    profile = Profile.LOCKING if changes else Profile.PIPELINED
    opened = resources.database.as_user(person, profile) if person else resources.database.as_service(profile)
    async with opened as conn:
        if person is not None:
            await _check_own(conn, agent, person)
            await become_service(conn)
        user_id = person.user_id if person else agent.user_id
        if changes and user_id is not None:
            await lock_out_erasure(conn, user_id=user_id)
        if agent.conversation_id is None:
            found = await _alone(resources, conn, agent)
        else:
            found = await _in_conversation(resources, conn, agent, agent.conversation_id)
        if changes and found.where is not None:
            await lock_out_erasure(conn, user_id=found.where.user_id)  # known by the message alone until now
            await _limit(resources, conn, found.where)
        yield found
        if changes and found.where is not None:
            embed_memories.enqueue_embedding(resources, conn)


async def _check_own(conn: Connection, agent: Agent, person: Person) -> None:
    if agent.user_id not in {None, person.user_id}:
        raise NotFound("There is no such person, or you may not act for them.")
    if agent.conversation_id is None:
        return
    with hidden_when_denied():
        seen = await agents.takes_part(conn, conversation_id=agent.conversation_id, user_id=person.user_id)
    if not seen:
        raise NotFound("There is no such conversation, or the person takes no part in it.")


async def _limit(resources: Resources, conn: Connection, where: Where) -> None:
    count = await extractions.count_in_minute(conn, user_id=where.user_id, now=where.now)
    if count > resources.settings.extractions_per_minute:
        raise RateLimited(retry_after=60 - where.now.second)


async def _alone(resources: Resources, conn: Connection, agent: Agent) -> Acting:
    now, user_id = resources.clock.now(), agent.person.user_id if agent.person else agent.user_id
    if user_id is None:
        raise NotFound("Say for whom: user_id, or a conversation and a message of theirs.")
    alone = await agents.alone(conn, user_id=user_id)
    if alone is None:
        return Acting(conn, None, "no_profile")
    if not alone.enabled:
        return Acting(conn, None, "disabled")
    where = Where(
        conn,
        resources.readers,
        user_id,
        alone.profile_id,
        now,
        said_at=now,
        building=alone.building,
        allowed_types=alone.allowed_types,
        source=Source.AGENT_TOOL,
        actor="agent",
    )
    return Acting(conn, where, names=alone.names)


async def _in_conversation(resources: Resources, conn: Connection, agent: Agent, conversation_id: UUID) -> Acting:
    now, user_id = resources.clock.now(), agent.person.user_id if agent.person else agent.user_id
    asked = await injections.asked(
        conn,
        conversation_id=conversation_id,
        message_id=agent.message_id,
        user_id=user_id,
        user_message="",
        now=now,
    )
    author = asked.facts.author if asked else None
    if asked is None or author is None or not asked.takes_part or user_id not in {None, author}:
        raise NotFound("There is no such message of the person, or they take no part in the conversation.")
    reason = guard_injection(asked.facts)
    if reason is not None or asked.facts.profile_id is None:
        return Acting(conn, None, reason.value if reason else "no_profile", asked.shared, asked)
    where = Where(
        conn,
        resources.readers,
        author,
        asked.facts.profile_id,
        now,
        said_at=asked.facts.said_at,
        conversation_id=asked.conversation_id,
        message_id=asked.message_id,
        persona_id=asked.persona_id,
        mode=asked.facts.mode,
        building=asked.facts.building,
        allowed_types=asked.allowed_types,
        source=Source.AGENT_TOOL,
        actor="agent",
    )
    names = tuple(name for name in (asked.name, asked.nickname) if name)
    return Acting(conn, where, shared=asked.shared, asked=asked, names=names)
