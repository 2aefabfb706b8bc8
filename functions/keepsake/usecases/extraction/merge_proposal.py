"""Screens a proposal, merges it with the existing memories, and writes the decisions, each with its own reason.

All of them belong to one operation, so that they can be undone together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
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
from keepsake.domain.merging import merge as merging
from keepsake.domain.merging.apply_model_relations import (
    RelatedStatements,
    apply_relations,
    put_in_place,
    sort_by_relation,
)
from keepsake.domain.merging.changes.find_changes import FoundChanges, after_statements
from keepsake.domain.merging.decisions import Decision, Doubt, Drop, Reinforce
from keepsake.domain.merging.limit_new_memories import limit_new_memories, max_compared
from keepsake.domain.merging.merge_scope import merge_scope
from keepsake.infra.database import Answer
from keepsake.store import consolidation, memories
from keepsake.store.locks import lock_memories, lock_profile_entities, lock_profile_of
from keepsake.store.operations import MemoryWriter, Operation
from keepsake.usecases.extraction.affected_by_changes import find_affected_by_changes, request_affected_by_changes
from keepsake.usecases.extraction.link_entities import link_entities
from keepsake.usecases.extraction.proposals import Proposal
from keepsake.usecases.extraction.write_decisions import SentWrite, WrittenMemory, affected_id, send_write

_DROP_REASONS = (
    "secret", "instruction", "financial_amount", "confirmed", "said_by_person", "type_not_allowed", "bad_characters",
    "bad_length", "older",
)  # fmt: skip
"""The reasons that a person or an agent is told, the most important first."""


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


@dataclass(slots=True)
class Merge:
    """A proposal that is merged with the memories of a profile, in steps; each asks for what the next one reads."""

    writer: MemoryWriter
    proposal: Proposal
    text: str
    """The message or another text that the proposal was made from."""
    limit: int = MAX_PER_TURN
    result: MergeResult = field(default_factory=MergeResult)
    _known: Answer[Memory] | None = None
    """The memories that the changes of the message may mean."""
    _changes: FoundChanges = field(default_factory=FoundChanges)
    _related: RelatedStatements = field(default_factory=lambda: RelatedStatements([]))
    _candidates: Sequence[Candidate] = ()
    _entities: Answer[Entity] | None = None
    _named: Sequence[Entity] = ()
    _existing: list[tuple[Sequence[Candidate], Answer[Memory]]] = field(default_factory=list)
    """The candidates of each persona scope, and the memories that they can affect."""
    _writes: list[SentWrite] = field(default_factory=list)

    async def ask_for_changed(self) -> None:
        """Ask for the memories that the changes of the message may mean."""
        # Only the person's own message changes stored memories, and most have no change.
        if self.proposal.changes and self.writer.has_authority:
            self._known = await request_affected_by_changes(self.writer, self.proposal)

    async def screen(self) -> None:
        """Screen the candidates, lock the profile, and ask for the entities that they may name."""
        writer, merged = self.writer, self.result
        if self._known is not None:
            self._changes = find_affected_by_changes(writer, self.proposal, await self._known.fetchall())
        screened = screen_candidates(
            [*self.proposal.candidates, *self._changes.candidates],
            allowed_types=writer.allowed_types,
            message=self.text,
            limit=max_compared(self.limit),
        )
        merged.dropped.update(screened.dropped)
        merged.dropped.update(self.proposal.dropped)
        if self.proposal.no_result_reason:
            merged.dropped[self.proposal.no_result_reason] += 1
        if not screened.accepted:
            return
        local_time = writer.origin.said_at.astimezone(writer.timezone)
        self._related = await _sort_by_relation(writer, screened.accepted, self.text)
        merged.dropped.update(self._related.dropped)
        related = self._related.candidates
        self._candidates = [with_entities(with_period(resolve_relative_date(one, local_time))) for one in related]
        self._entities = await _lock_profile(writer, self._candidates)

    async def ask_for_existing(self) -> None:
        """Ask for the memories that the candidates can affect."""
        if self._entities is not None:
            self._named = await self._entities.fetchall()
        if self._candidates and not self.writer.has_authority:
            self._candidates = await _admissible(self.writer, self._candidates, self.result)
        # Memories of one persona and memories of all personas never replace or reinforce each other.
        for persona_id in dict.fromkeys(candidate.persona_id for candidate in self._candidates):
            of_persona = (candidate for candidate in self._candidates if candidate.persona_id == persona_id)
            in_scope = [canonicalize(candidate, self._named) for candidate in of_persona]
            self._existing.append((in_scope, await _request_existing(self.writer, in_scope)))

    async def write(self) -> None:
        """Decide, and send the decisions."""
        decisions: list[Decision] = [*self._related.repetitions]
        compared: list[Memory] = []
        for in_scope, asked in self._existing:
            decided, existing = await _decide(self.writer, in_scope, await asked.fetchall())
            decisions += decided
            compared += existing
        decisions = put_in_place(self._related, limit_new_memories(decisions, self.limit))
        apply_relations(self._related, decisions, self._changes)
        await self._send(after_statements(decisions, self._changes))
        if self._named:
            kept = (decision for decision in decisions if not isinstance(decision, Drop | Doubt))
            stored = [decision.candidate for decision in kept if decision.candidate]
            await link_entities(self.writer, stored, self._named, compared)

    async def _send(self, decisions: Sequence[Decision]) -> None:
        """Send the decisions in order, and note in the result what becomes of each that writes nothing."""
        writer, merged = self.writer, self.result
        await lock_memories(writer.conn, user_id=writer.user_id, ids=sorted(filter(None, map(affected_id, decisions))))
        merged.decisions += decisions
        for decision in decisions:
            if isinstance(decision, Drop):
                merged.dropped[decision.reason] += 1
            elif isinstance(decision, Reinforce) and writer.source is Source.AGENT_TOOL:
                merged.already_known.append(decision.memory_id)
            else:
                merged.changed = True
                self._writes.append(await send_write(writer, decision))

    async def complete(self) -> None:
        """Note what was written, and archive what is over the cap."""
        writer, merged = self.writer, self.result
        for sent in self._writes:
            if (memory := await sent.answer.fetchone()) is not None:
                merged.written.append(WrittenMemory(memory, sent.action))
        # Numbers count all memories that the person ever had: below the cap there is nothing to count.
        if any(
            one.memory.memory_no > lifetimes.MAX_ACTIVE_MEMORIES for one in merged.written if one.action == "created"
        ):
            await memories.archive_over_cap(
                writer.conn,
                user_id=writer.user_id,
                profile_id=writer.profile_id,
                cap=lifetimes.MAX_ACTIVE_MEMORIES,
                operation=Operation(writer.operation_id, writer.actor, "over the cap"),
                now=writer.now,
                source=writer.source,
            )


async def merge_proposals(merges: Sequence[Merge]) -> None:
    """Merge proposals with different profiles; each step is taken for all, so that their statements travel together.

    Each screens the candidates found in a text, merges them under the lock of the profile, and writes the decisions.
    """
    for step in (Merge.ask_for_changed, Merge.screen, Merge.ask_for_existing, Merge.write, Merge.complete):
        for merge in merges:
            await step(merge)


async def merge_proposal(
    writer: MemoryWriter, proposal: Proposal, text: str, *, limit: int = MAX_PER_TURN
) -> MergeResult:
    """Merge one proposal."""
    merge = Merge(writer, proposal, text, limit)
    await merge_proposals([merge])
    return merge.result


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


async def _lock_profile(writer: MemoryWriter, candidates: Sequence[Candidate]) -> Answer[Entity] | None:
    """Lock the profile against other merges; asks for its entities where the candidates name any."""
    if any(set(candidate.entity_refs) - {SELF} for candidate in candidates):
        return await lock_profile_entities(writer.conn, user_id=writer.user_id, profile_id=writer.profile_id)
    await lock_profile_of(writer)
    return None


async def _admissible(writer: MemoryWriter, candidates: Sequence[Candidate], merged: MergeResult) -> list[Candidate]:
    """The agent's statements that affect nothing of the person's own; the result notes what became of the others."""
    existing = await memories.request_relevant(
        writer.conn, merge_scope(candidates), user_id=writer.user_id, profile_id=writer.profile_id, every_persona=True
    )
    examined = examine_statements(
        candidates, await existing.fetchall(), said_at=writer.origin.said_at, persona_id=writer.origin.persona_id
    )
    merged.already_known += examined.already_known
    merged.contradicted += examined.contradicted
    merged.dropped.update(examined.dropped)
    return examined.admissible


async def _decide(
    writer: MemoryWriter, candidates: Sequence[Candidate], existing: Sequence[Memory]
) -> tuple[list[Decision], Sequence[Memory]]:
    """The decisions about candidates of one persona scope, and the memories that they were compared with."""
    if writer.has_authority and await _open_folds(writer, existing):
        existing = await (await _request_existing(writer, candidates)).fetchall()
    candidates = [resolve_relation(candidate, existing) for candidate in candidates]
    decided = merging.merge(candidates, existing, said_at=writer.origin.said_at)
    return list(decided if writer.has_authority else without_protected(decided, existing)), existing


async def _request_existing(writer: MemoryWriter, candidates: Sequence[Candidate]) -> Answer[Memory]:
    """Ask for the memories that candidates of one persona scope can affect."""
    return await memories.request_relevant(
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
