"""A session of the agent tool: for whom an agent acts and in which turn, with the rights of the person who calls."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.agent.document import Document
from keepsake.domain.agent.shown_memory import ShownMemory, show_memories
from keepsake.domain.commands.outcome import Status
from keepsake.domain.consent.guard import guard_injection
from keepsake.domain.consent.turn_context import Origin, TurnContext
from keepsake.domain.memory import Memory, Source
from keepsake.errors import NotFound, RateLimited
from keepsake.identity import Person
from keepsake.infra.database import Connection, Profile, become_service, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool, injections
from keepsake.store.locks import lock_out_erasure
from keepsake.store.operations import MemoryWriter, increment_rate
from keepsake.usecases.screening.screen_edits import screen_edits


@dataclass(frozen=True, slots=True)
class AgentCall:
    """The caller of the agent tool: a person by their token, or a service that names the person; and the turn."""

    person: Person | None = None
    user_id: UUID | None = None
    conversation_id: UUID | None = None
    message_id: UUID | None = None

    @property
    def on_behalf_of(self) -> UUID | None:
        """The person, where the call names one."""
        return self.person.user_id if self.person else self.user_id


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a call: status and reason, the affected memories, and the operation that undoes it.

    ``message`` says it to the agent's model; it and ``operation``, what was called, are filled in last.
    """

    status: Status
    reason: str | None = None
    memories: tuple[ShownMemory, ...] = ()
    operation_id: UUID | None = None
    place_id: str | None = None
    document: Document | None = None

    operation: str = ""
    message: str = ""

    @property
    def fact_id(self) -> UUID | None:
        """The memory that was affected, where it is one only."""
        return self.memories[0].id if len(self.memories) == 1 else None


@dataclass(frozen=True, slots=True)
class AgentSession:
    """An open transaction of the agent tool; without a ``writer``, the ``reason`` why memory is unavailable."""

    writer: MemoryWriter | None
    reason: str | None = None
    building: bool = False
    """Whether new memories may be made."""
    shared: bool = False
    """Whether others read the answer."""
    turn: TurnContext | None = None
    names: tuple[str, ...] = ()
    """What the person is called: an agent may use their name."""
    edited_by: UUID | None = None
    """The person, where edits of theirs wait for their screening."""

    @property
    def message(self) -> TurnContext | None:
        """The person's own saved message, where the call names one."""
        return None if self.turn is None or self.turn.message_id is None else self.turn

    def show(self, memories: Iterable[Memory]) -> tuple[ShownMemory, ...]:
        """The memories as the result may show them: without private texts where others read the answer."""
        return show_memories(memories, shared=self.shared)

    def writer_or_refusal(self, *, is_persona_only: bool = False) -> MemoryWriter | ToolResult:
        """The writer for new memories, or the result that says why none may be made."""
        if self.writer is None:
            return ToolResult("unavailable", self.reason)
        if not self.building:
            return ToolResult("paused", "paused")
        if is_persona_only and self.writer.origin.persona_id is None:
            return ToolResult("refused", "no_persona")
        return self.writer


@asynccontextmanager
async def agent_session(resources: Resources, call: AgentCall, *, changes: bool) -> AsyncIterator[AgentSession]:
    """Open the transaction of a call, after the screening of edits that wait for one.

    A call that ``changes`` something counts against the person's rate limit.
    """
    if changes:
        await resources.prepare_reading()
    async with _transaction(resources, call, changes=changes, is_screened=False) as session:
        if session.edited_by is None:
            yield session
            return
    await screen_edits(resources, session.edited_by)
    async with _transaction(resources, call, changes=changes, is_screened=True) as session:
        yield session


@asynccontextmanager
async def _transaction(
    resources: Resources, call: AgentCall, *, changes: bool, is_screened: bool
) -> AsyncIterator[AgentSession]:
    """One transaction of the call; it counts once, not also where it only finds edits that wait for a screening."""
    person = call.person
    profile = Profile.LOCKING if changes else Profile.PIPELINED
    transaction = resources.database.as_user(person, profile) if person else resources.database.as_service(profile)
    async with transaction as conn:
        if person is not None:
            await _check_rights(conn, call, person)
            await become_service(conn)
        if changes and call.on_behalf_of is not None:
            await lock_out_erasure(conn, user_id=call.on_behalf_of)
        if call.conversation_id is None:
            session = await _without_conversation(resources, conn, call)
        else:
            session = await _in_conversation(resources, conn, call, call.conversation_id)
        if changes and session.writer is not None:
            await lock_out_erasure(conn, user_id=session.writer.user_id)  # known by the message alone until now
            if is_screened or session.edited_by is None:
                await _check_rate_limit(resources, session.writer)
        yield session
        if changes and session.writer is not None:
            resources.enqueue_embedding(conn)


async def _check_rights(conn: Connection, call: AgentCall, person: Person) -> None:
    if call.user_id not in {None, person.user_id}:
        raise NotFound("There is no such person, or you may not act for them.")
    if call.conversation_id is None:
        return
    with hidden_when_denied():
        takes_part = await agent_tool.takes_part(conn, conversation_id=call.conversation_id, user_id=person.user_id)
    if not takes_part:
        raise NotFound("There is no such conversation, or the person takes no part in it.")


async def _check_rate_limit(resources: Resources, writer: MemoryWriter) -> None:
    count = await increment_rate(writer.conn, user_id=writer.user_id, now=writer.now)
    if count > resources.settings.extractions_per_minute:
        raise RateLimited(retry_after=60 - writer.now.second)


async def _without_conversation(resources: Resources, conn: Connection, call: AgentCall) -> AgentSession:
    now, user_id = resources.clock.now(), call.on_behalf_of
    if user_id is None:
        raise NotFound("Say for whom: user_id, or a conversation and a message of theirs.")
    defaults = await agent_tool.person_defaults(conn, user_id=user_id)
    if defaults is None:
        return AgentSession(None, "no_profile")
    if not defaults.enabled:
        return AgentSession(None, "disabled")
    writer = MemoryWriter(
        conn=conn,
        user_id=user_id,
        profile_id=defaults.profile_id,
        source=Source.AGENT_TOOL,
        actor="agent",
        now=now,
        origin=Origin(said_at=now),
        allowed_types=defaults.allowed_types,
    )
    edited_by = user_id if defaults.has_unscreened_edits else None
    return AgentSession(writer, building=defaults.building, names=defaults.names, edited_by=edited_by)


async def _in_conversation(
    resources: Resources, conn: Connection, call: AgentCall, conversation_id: UUID
) -> AgentSession:
    now, user_id = resources.clock.now(), call.on_behalf_of
    requested = await injections.request_turn(
        conn,
        conversation_id=conversation_id,
        message_id=call.message_id,
        user_id=user_id,
        user_message="",
        now=now,
    )
    found = await requested.read()
    if found is None or found.turn.author is None or not found.takes_part or user_id not in {None, found.turn.author}:
        raise NotFound("There is no such message of the person, or they take no part in the conversation.")
    turn = found.turn
    if (reason := guard_injection(turn)) is not None:
        return AgentSession(None, reason.value, shared=found.shared, turn=turn)
    return AgentSession(
        MemoryWriter.of_turn(conn, turn, source=Source.AGENT_TOOL, actor="agent", now=now),
        building=turn.consent.building,
        shared=found.shared,
        turn=turn,
        names=tuple(name for name in (found.name, found.nickname) if name),
        edited_by=turn.author if found.has_unscreened_edits else None,
    )
