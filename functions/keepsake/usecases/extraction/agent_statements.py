"""What an agent says of a person, held against what is the person's own before it is merged."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.agent.authority import examine, is_protected
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.decisions import Decision, Drop, Retract, Supersede
from keepsake.domain.merging.scope import merge_scope
from keepsake.store import memories
from keepsake.usecases.extraction.apply_decisions import Applied, Write


async def admissible(
    write: Write, candidates: Sequence[Candidate], user_id: UUID, profile_id: UUID, applied: Applied
) -> list[Candidate]:
    """Of an agent's statements those that touch nothing of the person's own; what became of the others is noted.

    What the person told one persona alone is protected from what an agent tells all of them, and the other way round;
    it is named only where that persona reads the answer.
    """
    existing = await memories.relevant(
        write.conn, merge_scope(candidates), user_id=user_id, profile_id=profile_id, every_persona=True
    )
    kept: list[Candidate] = []
    for candidate in candidates:
        found = examine(candidate, existing, said_at=write.turn.facts.said_at)
        if found is None:
            kept.append(candidate)
        elif found.standing != "known":
            applied.dropped[found.standing] += 1
            if found.memory.persona_id in {None, write.turn.persona_id}:
                applied.against.append(found.memory.id)
        elif found.memory.persona_id in {None, candidate.persona_id}:
            applied.known.append(found.memory.id)
        else:
            kept.append(candidate)
    return kept


def without_protected(decisions: Sequence[Decision], known: Sequence[Memory]) -> list[Decision]:
    """The decisions, of which none changes what is the person's own."""
    protected = {memory.id for memory in known if is_protected(memory)}
    return [_harmless(decision, protected) for decision in decisions if not _only_ends(decision, protected)]


def _only_ends(decision: Decision, protected: set[UUID]) -> bool:
    return isinstance(decision, Retract) and decision.candidate is None and decision.old_id in protected


def _harmless(decision: Decision, protected: set[UUID]) -> Decision:
    match decision:
        case Supersede(old_id=old, candidate=Candidate() as stated) if old in protected:
            return Drop(stated, "said_by_person", explanation="an agent replaces nothing of the person's own")
        case Retract(old_id=old, candidate=Candidate() as stated) if old in protected:
            return Drop(stated, "said_by_person", explanation="an agent replaces nothing of the person's own")
        case _:
            return decision
