"""The agent tool: what an agent may do with a person's memory, each change an operation the person can undo."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from keepsake.domain import agent_facts
from keepsake.domain.memory import Memory, Source, Status
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.store import agents, commands
from keepsake.store.locks import lock_profile
from keepsake.store.operations import operation
from keepsake.usecases.agent.acting import Agent, acting
from keepsake.usecases.agent.managed import Managed, managed, writable
from keepsake.usecases.commands.forget import forget
from keepsake.usecases.commands.remember import remember
from keepsake.usecases.commands.where import Where
from keepsake.usecases.extraction.apply_decisions import Write
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.proposals import Proposal


async def add_fact(use: Resources, agent: Agent, content: str, *, only_here: bool = False) -> Managed:
    """Keep a fact an agent tells of the person, screened and merged; never over what the person confirmed."""
    async with acting(use, agent, changes=True) as at:
        where, refused = writable(at, only_here=only_here)
        if where is None:
            return refused
        candidate = agent_facts.fact(content)
        if candidate is None:
            return Managed("refused", "no_statement")
        candidate = replace(candidate, persona_id=where.persona_id if only_here else None)
        async with operation(where.conn, actor=where.actor, reason="add a fact") as op:
            write = Write(where.conn, where.turn(content), Source.AGENT_TOOL, where.actor, op.id, where.now)
            applied = await merge_proposal(write, Proposal("rules", Source.AGENT_TOOL, [candidate]))
        ids = [*(made.memory.id for made in applied.made), *applied.known]
        found = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=ids)
        if not found:
            return Managed("refused", next(iter(applied.dropped), "no_statement"))
        known = not applied.changed
        return Managed("done", "known" if known else None, tuple(found), None if known else op.id)


async def remember_for(use: Resources, agent: Agent, content: str, *, only_here: bool = False) -> Managed:
    """Remember what the person asked to be remembered, in their words."""
    async with acting(use, agent, changes=True) as at:
        where, refused = writable(at, only_here=only_here)
        return refused if where is None else managed(await remember(where, content, only_here=only_here))


async def deactivate_fact(use: Resources, agent: Agent, fact_id: str) -> Managed:
    """Archive a fact that no longer holds; what is pinned only the person themselves lets go."""
    async with acting(use, agent, changes=True) as at:
        if at.where is None:
            return Managed("unavailable", at.reason)
        where = at.where
        found = await _one(where, fact_id)
        if found is None or found.status != "active":
            return Managed("nothing", "no_match")
        if found.pinned and where.source is Source.AGENT_TOOL:
            return Managed("refused", "pinned", (found,))
        await lock_profile(where.conn, user_id=where.user_id, profile_id=where.profile_id)
        async with operation(where.conn, actor=where.actor, reason="no longer holds") as op:
            gone = await agents.deactivate(where.conn, user_id=where.user_id, id=found.id, now=where.now)
        if not gone:
            return Managed("nothing", "no_match")
        return Managed("done", None, (replace(found, status=Status.ARCHIVED),), op.id)


async def forget_for(
    use: Resources, agent: Agent, *, subject: str | None = None, fact_id: str | None = None
) -> Managed:
    """Forget one memory, or everything current about a subject; it can be undone for 30 days."""
    async with acting(use, agent, changes=True) as at:
        if at.where is None:
            return Managed("unavailable", at.reason)
        if fact_id is None:
            return managed(await forget(at.where, subject=subject))
        found = await _one(at.where, fact_id)
        ids = [found.id] if found else []
        return managed(await forget(at.where, memory_ids=ids))


async def _one(where: Where, fact_id: str) -> Memory | None:
    """The person's memory of that id or number (``M-12``)."""
    row_id, number = _ref(fact_id)
    found = await agents.memory_by_ref(where.conn, user_id=where.user_id, id=row_id, number=number)
    rows = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=[found] if found else [])
    return rows[0] if rows else None


def _ref(fact_id: str) -> tuple[UUID | None, int | None]:
    number = fact_id.strip().upper().removeprefix("M-")
    if number.isascii() and number.isdecimal() and len(number) <= 18:
        return None, int(number)
    try:
        return UUID(fact_id.strip()), None
    except ValueError:
        raise InvalidInput("The request body is not valid.", details="fact_id: a UUID, or a number as M-12") from None
