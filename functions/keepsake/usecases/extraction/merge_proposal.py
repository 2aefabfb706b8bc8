"""Screens a proposal, merges it with the existing memories, and writes the decisions, each with its own reason.

All of them belong to one operation, so that they can be undone together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from keepsake.domain.agent.protection import examine_statements, without_protected
from keepsake.domain.entities.entity import SELF, Entity
from keepsake.domain.entities.references import with_entities
from keepsake.domain.entities.resolve_references import canonicalize, resolve_relation
from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.lifecycle import lifetimes
from keepsake.domain.memory import MAX_PER_TURN, Candidate, Memory, Source, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.changes.apply_model_relations import (
    RelatedStatements,
    apply_relations,
    put_in_place,
    sort_by_relation,
)
from keepsake.domain.merging.changes.find_changes import FoundChanges, after_statements
from keepsake.domain.merging.decisions import Decision, Doubt, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.limit_new_memories import limit_new_memories, max_compared
from keepsake.domain.merging.merge_scope import merge_scope
from keepsake.store import consolidation, memories
from keepsake.store.locks import lock_memories, lock_profile_entities, lock_profile_of
from keepsake.store.operations import MemoryWriter, Operation
from keepsake.usecases.extraction.affected_by_changes import read_affected_by_changes
from keepsake.usecases.extraction.link_entities import link_entities
from keepsake.usecases.extraction.proposals import Proposal

Action = Literal["created", "reinforced", "superseded", "ended", "doubted"]

_DROP_REASONS = (
    "secret", "instruction", "financial_amount", "confirmed", "said_by_person", "type_not_allowed", "bad_characters",
    "bad_length", "older",
)  # fmt: skip
"""The reasons that a person or an agent is told, the most important first."""


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """A memory that was created, reinforced, ended or doubted, or inserted in place of a superseded one."""

    memory: memories.StoredMemory
    action: Action


@dataclass(slots=True)
class MergeResult:
    """The result of a merge."""

    written: list[WrittenMemory] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    decisions: list[Decision] = field(default_factory=list)
    """What was decided, in order."""
    changed: bool = False
    """Whether any memory was changed: a retraction changes one without writing another."""
    already_known: list[UUID] = field(default_factory=list)
    """Memories that an agent repeated; they are not reinforced, because the agent may have read them here."""
    contradicted: list[UUID] = field(default_factory=list)
    """Memories of the person's own that an agent's statement contradicts."""

    @property
    def stored_ids(self) -> list[UUID]:
        """The memories that hold what was said: created, reinforced or inserted for a superseded one."""
        return [one.memory.id for one in self.written if one.action not in ("ended", "doubted")]

    @property
    def main_drop_reason(self) -> str:
        """The most important reason for which candidates were dropped."""
        return next((reason for reason in _DROP_REASONS if self.dropped[reason]), "no_statement")


async def merge_proposal(
    writer: MemoryWriter, proposal: Proposal, text: str, *, limit: int = MAX_PER_TURN
) -> MergeResult:
    """Screen the candidates found in a text, merge them under the lock of the profile, and write the decisions."""
    # Only the person's own message changes stored memories, and most have no change.
    is_change = bool(proposal.changes) and writer.has_authority
    changes = await read_affected_by_changes(writer, proposal) if is_change else FoundChanges()
    proposed = [*proposal.candidates, *changes.candidates]
    screened = screen_candidates(proposed, allowed_types=writer.allowed_types, message=text, limit=max_compared(limit))
    merged = MergeResult(dropped=screened.dropped)
    merged.dropped.update(proposal.dropped)
    if proposal.no_result_reason:
        merged.dropped[proposal.no_result_reason] += 1
    if not screened.accepted:
        await _apply_all(writer, after_statements([], changes), merged)
        return merged
    local_time = writer.origin.said_at.astimezone(writer.timezone)
    related = await _sort_by_relation(writer, screened.accepted, text)
    merged.dropped.update(related.dropped)
    candidates = [with_entities(with_period(resolve_relative_date(one, local_time))) for one in related.candidates]
    named = await _lock_profile(writer, candidates)
    if not writer.has_authority:
        candidates = await _admissible(writer, candidates, merged)
    decisions: list[Decision] = [*related.repetitions]
    compared: list[Memory] = []
    for persona_id in dict.fromkeys(candidate.persona_id for candidate in candidates):
        # Memories of one persona and memories of all personas never replace or reinforce each other.
        in_scope = [canonicalize(candidate, named) for candidate in candidates if candidate.persona_id == persona_id]
        decided, existing = await _decide(writer, in_scope)
        decisions += decided
        compared += existing
    decisions = put_in_place(related, limit_new_memories(decisions, limit))
    apply_relations(related, decisions, changes)
    await _apply_all(writer, after_statements(decisions, changes), merged)
    if named:
        kept = (decision for decision in decisions if not isinstance(decision, Drop | Doubt))
        stored = [decision.candidate for decision in kept if decision.candidate]
        await link_entities(writer, stored, named, compared)
    # Numbers count all memories that the person ever had: below the cap there is nothing to count.
    if any(one.memory.memory_no > lifetimes.MAX_ACTIVE_MEMORIES for one in merged.written if one.action == "created"):
        await memories.archive_over_cap(
            writer.conn,
            user_id=writer.user_id,
            profile_id=writer.profile_id,
            cap=lifetimes.MAX_ACTIVE_MEMORIES,
            operation=Operation(writer.operation_id, writer.actor, "over the cap"),
            now=writer.now,
            source=writer.source,
        )
    return merged


async def _sort_by_relation(writer: MemoryWriter, accepted: Sequence[Candidate], text: str) -> RelatedStatements:
    """The statements by what they do to the memories that a model says they are about, as these stand now."""
    named = ((candidate.related_id, *candidate.more_related_ids) for candidate in accepted)
    ids = {memory_id for several in named for memory_id in several if memory_id is not None}
    if not ids:
        return RelatedStatements(list(accepted))
    await lock_profile_of(writer)
    known = await memories.by_id(writer.conn, user_id=writer.user_id, ids=sorted(ids), active=True)
    by_id = {memory.id: memory for memory in known}
    return sort_by_relation(accepted, by_id, message=text, said_at=writer.origin.said_at)


async def _lock_profile(writer: MemoryWriter, candidates: Sequence[Candidate]) -> list[Entity]:
    """Lock the profile against other merges; returns its entities where the candidates name any."""
    if any(set(candidate.entity_refs) - {SELF} for candidate in candidates):
        return await lock_profile_entities(writer.conn, user_id=writer.user_id, profile_id=writer.profile_id)
    await lock_profile_of(writer)
    return []


async def _admissible(writer: MemoryWriter, candidates: Sequence[Candidate], merged: MergeResult) -> list[Candidate]:
    """The agent's statements that affect nothing of the person's own; the result notes what became of the others."""
    existing = await memories.relevant(
        writer.conn, merge_scope(candidates), user_id=writer.user_id, profile_id=writer.profile_id, every_persona=True
    )
    examined = examine_statements(
        candidates, existing, said_at=writer.origin.said_at, persona_id=writer.origin.persona_id
    )
    merged.already_known += examined.already_known
    merged.contradicted += examined.contradicted
    merged.dropped.update(examined.dropped)
    return examined.admissible


async def _decide(writer: MemoryWriter, candidates: Sequence[Candidate]) -> tuple[list[Decision], list[Memory]]:
    """The decisions about candidates of one persona scope, and the memories that they were compared with."""
    existing = await _read_affected(writer, candidates)
    if writer.has_authority and await _open_folds(writer, existing):
        existing = await _read_affected(writer, candidates)
    candidates = [resolve_relation(candidate, existing) for candidate in candidates]
    decided = merge.merge(candidates, existing, said_at=writer.origin.said_at)
    return list(decided if writer.has_authority else without_protected(decided, existing)), existing


async def _read_affected(writer: MemoryWriter, candidates: Sequence[Candidate]) -> list[Memory]:
    """The memories that candidates of one persona scope can affect."""
    return await memories.relevant(
        writer.conn,
        merge_scope(candidates),
        user_id=writer.user_id,
        profile_id=writer.profile_id,
        persona_id=candidates[0].persona_id,
    )


async def _open_folds(writer: MemoryWriter, existing: Sequence[Memory]) -> bool:
    """Open the folds of these memories, so that each member is merged on its own; returns whether there was one."""
    folded = [memory.id for memory in existing if memory.status is Status.ARCHIVED]
    if not folded:
        return False
    async with writer.begin_merge("something was said about one of them"):
        return await consolidation.open_folds(writer.conn, user_id=writer.user_id, of=folded)


async def _apply_all(writer: MemoryWriter, decisions: Sequence[Decision], merged: MergeResult) -> None:
    """Apply the decisions in order, and note in the result what became of each."""
    affected = sorted(old for decision in decisions if (old := _affected_id(decision)))
    await lock_memories(writer.conn, user_id=writer.user_id, ids=affected)
    merged.decisions += decisions
    for decision in decisions:
        if isinstance(decision, Drop):
            merged.dropped[decision.reason] += 1
        elif isinstance(decision, Reinforce) and writer.source is Source.AGENT_TOOL:
            merged.already_known.append(decision.memory_id)
        else:
            merged.changed = True
            written = await _apply(writer, decision)
            if written is not None:
                merged.written.append(written)


def _affected_id(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=old) | Doubt(memory_id=old) | Supersede(old_id=old) | Retract(old_id=old):
            return old
        case Insert(expired_id=old):
            return old
        case _:
            return None


async def _apply(
    writer: MemoryWriter, decision: Insert | Reinforce | Supersede | Retract | Doubt
) -> WrittenMemory | None:
    match decision:
        case Insert(candidate=candidate, expired_id=expired_id):
            if expired_id is not None:
                await memories.expire(writer, expired_id, reason=decision.explanation)
            return WrittenMemory(await _insert(writer, candidate, decision.explanation), "created")
        case Supersede(old_id=old_id, candidate=candidate) | Retract(old_id=old_id, candidate=candidate):
            why = candidate.why if candidate else getattr(decision, "why", "")
            ended = await memories.supersede(writer, old_id, reason=decision.explanation, why=why)
            if candidate is None:
                return None if ended is None else WrittenMemory(ended, "ended")
            return WrittenMemory(await _insert(writer, candidate, decision.explanation, old_id), "superseded")
        case Doubt(memory_id=doubted_id):
            doubted = await memories.doubt(writer, doubted_id, reason=decision.explanation, why=decision.why)
            return None if doubted is None else WrittenMemory(doubted, "doubted")
        case Reinforce(candidate=candidate):
            expires_at = _expires_at(writer, candidate)
            memory = await memories.reinforce(writer, decision, reason=decision.explanation, expires_at=expires_at)
            return None if memory is None else WrittenMemory(memory, "reinforced")


async def _insert(
    writer: MemoryWriter, candidate: Candidate, reason: str, supersedes_id: UUID | None = None
) -> memories.StoredMemory:
    expires_at = _expires_at(writer, candidate)
    return await memories.insert(writer, candidate, reason=reason, supersedes_id=supersedes_id, expires_at=expires_at)


def _expires_at(writer: MemoryWriter, candidate: Candidate) -> datetime | None:
    said_at = writer.origin.said_at.astimezone(writer.timezone)
    return lifetimes.expires_at(candidate, said_at=said_at, source=writer.source)
