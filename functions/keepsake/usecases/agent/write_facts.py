"""The facts of the agent tool: added, remembered, deactivated and forgotten, each as an operation that can be undone.

An agent changes only what agents stated, and nothing that the person said, pinned or confirmed. Such a change is
pending until the person answers, unless their own saved message, named in the call, says it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from uuid import UUID

from keepsake.domain.agent.authority import MAX_AGENT_CONFIDENCE, confirms_ending, is_protected, matching_statements
from keepsake.domain.agent.user_fact_parser import names_person, parse_fact
from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.memory import Candidate, Memory, MemoryRef, Source, Status
from keepsake.domain.reading.statements import extract
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.store import agent_tool, memories, pending_operations
from keepsake.store.locks import lock_memories, lock_profile_of
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.agent.agent_session import AgentCall, AgentSession, ToolResult, agent_session
from keepsake.usecases.agent.authority_from_message import (
    FORGET_COMMANDS,
    REMEMBER_COMMANDS,
    own_statements,
    run_own_command,
)
from keepsake.usecases.commands.find_memories import Subject, find_all_about, read_subject
from keepsake.usecases.commands.forget import forget_memories
from keepsake.usecases.commands.remember import find_statements
from keepsake.usecases.extraction.merge_proposal import MergeResult, merge_proposal
from keepsake.usecases.extraction.proposals import Proposal
from keepsake.usecases.screening.classify_sentences import classify_texts

_Find = Callable[[Resources, str, Sequence[str]], Awaitable[Sequence[Candidate]]]
"""Finds statements in a text, where these names mean the person."""


async def add_fact(resources: Resources, call: AgentCall, content: str, *, is_persona_only: bool = False) -> ToolResult:
    """Store a fact that an agent states, screened and merged."""
    return await _store(resources, call, content, _find_fact, is_persona_only=is_persona_only)


async def remember_for(
    resources: Resources, call: AgentCall, content: str, *, is_persona_only: bool = False
) -> ToolResult:
    """Remember what the person asked for, as an agent reports it; or as their own saved message says it."""
    if (done := await run_own_command(resources, call, REMEMBER_COMMANDS)) is not None:
        return done
    return await _store(resources, call, content, _find_request, is_persona_only=is_persona_only)


async def _store(
    resources: Resources, call: AgentCall, content: str, find: _Find, *, is_persona_only: bool
) -> ToolResult:
    """Merge what is found in a text; refused where nothing is found, or where it may not be stored."""
    rejection = await _rejection(resources, content)
    async with agent_session(resources, call, changes=True) as session:
        writer = session.writer_or_refusal(is_persona_only=is_persona_only)
        if isinstance(writer, ToolResult):
            return writer
        stated = await find(resources, content, session.names)
        if not stated or rejection is not None:
            return ToolResult("refused", rejection if stated else "no_statement")
        return await _merge(resources, session, writer, content, stated, is_persona_only=is_persona_only)


async def _find_fact(resources: Resources, content: str, names: Sequence[str]) -> Sequence[Candidate]:
    """What an agent states: as the rules read a message, else in the agent's words."""
    if stated := await _read_as_message(resources, content, names):
        return stated
    candidate = parse_fact(content, names=names)
    return [] if candidate is None else [candidate]


async def _find_request(resources: Resources, content: str, names: Sequence[str]) -> Sequence[Candidate]:
    """What the person asked to remember: as the rules read it, else as the chat command "remember" would store it."""
    if stated := await _read_as_message(resources, content, names):
        return stated
    candidate = parse_fact(content, names=names)
    if candidate is not None and candidate.key is not None:
        return [candidate]
    return await find_statements(resources.readers, content)


async def _read_as_message(resources: Resources, content: str, names: Sequence[str]) -> list[Candidate]:
    """What the rules read in a statement as a message; nothing where it speaks of "the user", as no message does."""
    return [] if names_person(content, names) else await resources.readers.run_or([], extract, content)


async def deactivate_fact(resources: Resources, call: AgentCall, fact_id: str) -> ToolResult:
    """Archive a fact that no longer holds; the person's own is pending until they answer."""
    if (done := await _run_forget_command(resources, call, fact_id)) is not None:
        return done
    async with agent_session(resources, call, changes=True) as session:
        if session.writer is None:
            return ToolResult("unavailable", session.reason)
        writer = session.writer
        await lock_profile_of(writer)
        memory = await _lock_fact(writer, fact_id)
        if memory is None or memory.status != "active":
            return ToolResult("nothing", "no_match")
        own = await _own_statements(resources, session)
        if is_protected(memory) and not (own and confirms_ending(own, memory, said_at=writer.origin.said_at)):
            return await _request(session, writer, "agent_deactivate", [memory])
        async with writer.begin_operation("no longer holds") as op:
            archived = await agent_tool.deactivate(writer.conn, user_id=writer.user_id, id=memory.id, now=writer.now)
        if not archived:
            return ToolResult("nothing", "no_match")
        return ToolResult("done", None, session.show([memory._replace(status=Status.ARCHIVED)]), op.id)


async def forget_for(
    resources: Resources, call: AgentCall, *, subject: str | None = None, fact_id: str | None = None
) -> ToolResult:
    """Forget one memory, all about a subject, or all there is; the person's own is pending until they answer."""
    if (done := await _run_forget_command(resources, call, fact_id)) is not None:
        return done
    async with agent_session(resources, call, changes=True) as session:
        if session.writer is None:
            return ToolResult("unavailable", session.reason)
        writer = session.writer
        about = None if subject is None else await read_subject(resources.readers, subject)
        await lock_profile_of(writer)
        found = await _lock_matches(writer, about, fact_id)
        if not found:
            return ToolResult("nothing", "no_match")
        if any(map(is_protected, found)):
            return await _request(session, writer, "agent_forget", found)
        outcome = await forget_memories(writer, found)
        return ToolResult(outcome.status, outcome.reason, session.show(outcome.memories), outcome.operation_id)


async def _rejection(resources: Resources, content: str) -> str | None:
    """Why what an agent states may not be stored; asked before a connection is held, as it may wait for a model."""
    return rejection_of_text(content) or (await classify_texts(resources.embedder, [content])).get(content)


async def _merge(
    resources: Resources,
    session: AgentSession,
    writer: MemoryWriter,
    content: str,
    stated: Sequence[Candidate],
    *,
    is_persona_only: bool,
) -> ToolResult:
    """Merge what an agent states; where the person's own message states it too, with the person's authority."""
    own = matching_statements(await _own_statements(resources, session), stated)
    candidates = [
        replace(
            candidate,
            confidence=min(candidate.confidence, MAX_AGENT_CONFIDENCE),
            quote=candidate.quote if own else "",
            persona_id=writer.origin.persona_id if is_persona_only else None,
        )
        for candidate in top_candidates(own or stated)
    ]
    writer = replace(writer, has_authority=bool(own))
    async with writer.begin_merge("add a fact"):
        merged = await merge_proposal(writer, Proposal("rules", Source.AGENT_TOOL, candidates), content)
    return await _result(session, writer, merged)


async def _own_statements(resources: Resources, session: AgentSession) -> list[Candidate]:
    """What the person states in their own message; nothing where the call names none."""
    return [] if session.message is None else await own_statements(resources, session.message)


async def _result(session: AgentSession, writer: MemoryWriter, merged: MergeResult) -> ToolResult:
    """The result of a merge; a refusal names the memories that it contradicts."""
    found = session.show(await _read(writer, [*merged.stored_ids, *merged.already_known]))
    if merged.changed:
        return ToolResult("done", None, found, writer.operation_id)
    if found:
        return ToolResult("done", "known", found)
    contradicted = await _read(writer, merged.contradicted)
    return ToolResult("refused", merged.main_drop_reason, session.show(contradicted))


async def _read(writer: MemoryWriter, ids: Sequence[UUID]) -> tuple[Memory, ...]:
    return tuple(await memories.by_id(writer.conn, user_id=writer.user_id, ids=list(dict.fromkeys(ids))))


async def _run_forget_command(resources: Resources, call: AgentCall, fact_id: str | None) -> ToolResult | None:
    """The result of the person's own command to forget; None where there is none, or it did not match the fact."""
    done = await run_own_command(resources, call, FORGET_COMMANDS)
    if done is None or fact_id is None or done.status == "confirm":
        return done
    row_id, number = _parse_fact_id(fact_id)
    return done if any(number == memory.memory_no or row_id == memory.id for memory in done.memories) else None


async def _lock_matches(writer: MemoryWriter, subject: Subject | None, fact_id: str | None) -> list[Memory]:
    """The memories that a call to forget is about, past ones too, locked so that they stay as they are read."""
    if fact_id is not None:
        memory = await _lock_fact(writer, fact_id)
        return [] if memory is None else [memory]
    ids = [memory.id for memory in await find_all_about(writer, subject)]
    await lock_memories(writer.conn, user_id=writer.user_id, ids=ids, even_one=True)
    found = await memories.by_id(writer.conn, user_id=writer.user_id, ids=ids)
    return [memory for memory in found if memory.status is not Status.DELETED]


async def _request(
    session: AgentSession, writer: MemoryWriter, kind: pending_operations.RequestKind, found: Sequence[Memory]
) -> ToolResult:
    """Record a pending operation: nothing changes, and the next context asks the person."""
    ids = [memory.id for memory in found]
    request_id = await pending_operations.request(
        writer.conn, kind, user_id=writer.user_id, memory_ids=ids, now=writer.now
    )
    if request_id is None:
        return ToolResult("refused", "too_many_pending", session.show(found))
    return ToolResult("pending", "needs_answer", session.show(found), request_id)


async def _lock_fact(writer: MemoryWriter, fact_id: str) -> Memory | None:
    """The person's memory with this id or reference, locked; None where only another persona may know it."""
    row_id, number = _parse_fact_id(fact_id)
    found = await agent_tool.memory_by_ref(writer.conn, user_id=writer.user_id, id=row_id, number=number)
    if found is None:
        return None
    await lock_memories(writer.conn, user_id=writer.user_id, ids=[found], even_one=True)
    rows = await memories.by_id(writer.conn, user_id=writer.user_id, ids=[found])
    return next((memory for memory in rows if memory.persona_id in {None, writer.origin.persona_id}), None)


def _parse_fact_id(fact_id: str) -> tuple[UUID | None, int | None]:
    if (ref := MemoryRef.parse(fact_id)) is not None:
        return None, ref.number
    try:
        return UUID(fact_id.strip()), None
    except ValueError:
        raise InvalidInput("The request body is not valid.", details="fact_id: a UUID, or a number as M-12") from None
