"""The agent tool: what an agent may do with a person's memory, each change an operation the person can undo.

Whatever token a call carries, it is an agent's: it changes what agents told, and nothing the person said, pinned or
confirmed. That waits for the person's answer, unless their own saved message, named in the call, says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from keepsake.domain.agent import facts
from keepsake.domain.agent.authority import allows_ending, is_protected
from keepsake.domain.memory import Memory, Status
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.store import agents, commands, pending_operations
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.operations import operation
from keepsake.usecases.agent.own_words import FORGETTING, REMEMBERING, own_command, own_statements
from keepsake.usecases.agent.result import Managed, managed, writable
from keepsake.usecases.agent.session import Agent, acting
from keepsake.usecases.agent.telling import tell
from keepsake.usecases.commands.forget import forget, known_about
from keepsake.usecases.commands.remember import stated, statements
from keepsake.usecases.commands.where import Where


async def add_fact(resources: Resources, agent: Agent, content: str, *, is_persona_only: bool = False) -> Managed:
    """Keep a fact an agent tells of the person, screened and merged; never over what is the person's own."""
    async with acting(resources, agent, changes=True) as at:
        where, refused = writable(at, is_persona_only=is_persona_only)
        if where is None:
            return refused
        told = await stated(where, content)
        if not told and (parse_fact := facts.parse_fact(content, names=at.names)):
            told = [parse_fact]
        if not told:
            return Managed("refused", "no_statement")
        return await tell(at, where, content, told, is_persona_only=is_persona_only)


async def remember_for(resources: Resources, agent: Agent, content: str, *, is_persona_only: bool = False) -> Managed:
    """Remember what an agent says the person asked for; where their saved message asks for it, what that says."""
    if (done := await own_command(resources, agent, REMEMBERING)) is not None:
        return done
    async with acting(resources, agent, changes=True) as at:
        where, refused = writable(at, is_persona_only=is_persona_only)
        if where is None:
            return refused
        told = await stated(where, content)
        parse_fact = facts.parse_fact(content, names=at.names)
        if not told:
            told = (
                [parse_fact]
                if parse_fact is not None and parse_fact.key is not None
                else await statements(where, content)
            )
        if not told:
            return Managed("refused", "no_statement")
        return await tell(at, where, content, told, is_persona_only=is_persona_only)


async def deactivate_fact(resources: Resources, agent: Agent, fact_id: str) -> Managed:
    """Archive a fact that no longer holds; what is the person's own waits for their answer."""
    if (done := await _by_own_command(resources, agent, fact_id)) is not None:
        return done
    async with acting(resources, agent, changes=True) as at:
        if at.where is None:
            return Managed("unavailable", at.reason)
        where = at.where
        await lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
        found = await _one(where, fact_id)
        if found is None or found.status != "active":
            return Managed("nothing", "no_match")
        own = await own_statements(at)
        if is_protected(found) and not (own and allows_ending(own, found, said_at=where.said_at)):
            return await _pend(where, "agent_deactivate", [found])
        async with operation(where.conn, actor=where.actor, reason="no longer holds") as op:
            gone = await agents.deactivate(where.conn, user_id=where.user_id, id=found.id, now=where.now)
        if not gone:
            return Managed("nothing", "no_match")
        return Managed("done", None, (replace(found, status=Status.ARCHIVED),), op.id)


async def forget_for(
    resources: Resources, agent: Agent, *, subject: str | None = None, fact_id: str | None = None
) -> Managed:
    """Forget one memory, all about a subject, or all there is; what is the person's own waits for their answer."""
    if (done := await _by_own_command(resources, agent, fact_id)) is not None:
        return done
    async with acting(resources, agent, changes=True) as at:
        if at.where is None:
            return Managed("unavailable", at.reason)
        where = at.where
        await lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
        found = await _meant(where, subject, fact_id)
        if not found:
            return Managed("nothing", "no_match")
        if any(map(is_protected, found)):
            return await _pend(where, "agent_forget", found)
        return managed(await forget(where, memory_ids=[memory.id for memory in found]))


async def _by_own_command(resources: Resources, agent: Agent, fact_id: str | None) -> Managed | None:
    """What came of the person's own command to forget; None where it is none, or did not reach the memory named."""
    done = await own_command(resources, agent, FORGETTING)
    if done is None or fact_id is None or done.status == "confirm":
        return done
    row_id, number = _ref(fact_id)
    return done if any(number == one.memory_no or row_id == one.id for one in done.memories) else None


async def _meant(where: Where, subject: str | None, fact_id: str | None) -> list[Memory]:
    """The active memories that a call to forget is about, held so that they stay as they are read."""
    if fact_id is not None:
        one = await _one(where, fact_id)
        return [one] if one is not None and one.status is Status.ACTIVE else []
    found = [memory.id for memory in await known_about(where, subject)]
    await lock_memories(where.conn, user_id=where.user_id, ids=found, even_one=True)
    return await commands.memories_by_id(where.conn, user_id=where.user_id, ids=found, active=True)


async def _pend(where: Where, kind: pending_operations.Asked, found: Sequence[Memory]) -> Managed:
    """Let the operation wait for the person: nothing changes, and the next context asks them."""
    ids = [memory.id for memory in found]
    asked = await pending_operations.ask(where.conn, kind, user_id=where.user_id, memory_ids=ids, now=where.now)
    if asked is None:
        return Managed("refused", "too_many_pending", tuple(found))
    return Managed("pending", "needs_answer", tuple(found), asked)


async def _one(where: Where, fact_id: str) -> Memory | None:
    """The person's memory of that id or number (``M-12``), held; none that another persona alone is to know."""
    row_id, number = _ref(fact_id)
    found = await agents.memory_by_ref(where.conn, user_id=where.user_id, id=row_id, number=number)
    if found is None:
        return None
    await lock_memories(where.conn, user_id=where.user_id, ids=[found], even_one=True)
    rows = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=[found])
    return next((one for one in rows if one.persona_id in {None, where.persona_id}), None)


def _ref(fact_id: str) -> tuple[UUID | None, int | None]:
    number = fact_id.strip().upper().removeprefix("M-")
    if number.isascii() and number.isdecimal() and len(number) <= 18:
        return None, int(number)
    try:
        return UUID(fact_id.strip()), None
    except ValueError:
        raise InvalidInput("The request body is not valid.", details="fact_id: a UUID, or a number as M-12") from None
