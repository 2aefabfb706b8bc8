"""Compares an agent's statements with the person's own memories before they are merged."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.agent.authority import find_prior_statement, is_protected
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.decisions import Decision, Drop, Retract, Supersede
from keepsake.domain.merging.scope import merge_scope
from keepsake.store import memories
from keepsake.store.memory_writer import MemoryWriter
from keepsake.usecases.extraction.apply_decisions import MergeResult


async def admissible_statements(
    writer: MemoryWriter, candidates: Sequence[Candidate], merged: MergeResult
) -> list[Candidate]:
    """The agent's statements that affect nothing of the person's own; the result notes what became of the others.

    What the person said to one persona only is protected from what an agent says to all, and the other way round; it
    is named only where that persona reads the answer.
    """
    existing = await memories.relevant(
        writer.conn, merge_scope(candidates), user_id=writer.user_id, profile_id=writer.profile_id, every_persona=True
    )
    accepted: list[Candidate] = []
    for candidate in candidates:
        found = find_prior_statement(candidate, existing, said_at=writer.origin.said_at)
        if found is None:
            accepted.append(candidate)
        elif found.status != "known":
            merged.dropped[found.status] += 1
            if found.memory.persona_id in {None, writer.origin.persona_id}:
                merged.contradicted.append(found.memory.id)
        elif found.memory.persona_id in {None, candidate.persona_id}:
            merged.already_known.append(found.memory.id)
        else:
            accepted.append(candidate)
    return accepted


def without_protected(decisions: Sequence[Decision], existing: Sequence[Memory]) -> list[Decision]:
    """The decisions without those that would change the person's own memories."""
    protected = {memory.id for memory in existing if is_protected(memory)}
    return [_protect(decision, protected) for decision in decisions if not _only_retracts(decision, protected)]


def _only_retracts(decision: Decision, protected: set[UUID]) -> bool:
    return isinstance(decision, Retract) and decision.candidate is None and decision.old_id in protected


def _protect(decision: Decision, protected: set[UUID]) -> Decision:
    match decision:
        case (
            Supersede(old_id=old, candidate=Candidate() as stated)
            | Retract(old_id=old, candidate=Candidate() as stated)
        ) if old in protected:
            return Drop(stated, "said_by_person", explanation="an agent replaces nothing of the person's own")
        case _:
            return decision
