"""Keeps an agent's statements from changing the person's own memories: examined before merging, checked after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from keepsake.domain.agent.authority import find_prior_statement, is_protected
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Retract, Supersede


@dataclass(frozen=True, slots=True)
class ExaminedStatements:
    """An agent's statements that affect nothing of the person's own, and what the others repeat or contradict."""

    admissible: list[Candidate] = field(default_factory=list)
    already_known: list[UUID] = field(default_factory=list)
    contradicted: list[UUID] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    """The number of statements that contradict the person, by reason."""


def examine_statements(
    candidates: Sequence[Candidate], existing: Sequence[Memory], *, said_at: datetime, persona_id: str | None
) -> ExaminedStatements:
    """Compare an agent's statements with the memories of every persona.

    What the person said to one persona only is protected from what an agent says to all, and the other way round; it
    is named only where that persona reads the answer, which ``persona_id`` gives.
    """
    examined = ExaminedStatements()
    for candidate in candidates:
        found = find_prior_statement(candidate, existing, said_at=said_at)
        if found is None:
            examined.admissible.append(candidate)
        elif found.status != "known":
            examined.dropped[found.status] += 1
            if found.memory.persona_id in {None, persona_id}:
                examined.contradicted.append(found.memory.id)
        elif found.memory.persona_id in {None, candidate.persona_id}:
            examined.already_known.append(found.memory.id)
        else:
            examined.admissible.append(candidate)
    return examined


def without_protected(decisions: Sequence[Decision], existing: Sequence[Memory]) -> list[Decision]:
    """The decisions without those that would change the person's own memories."""
    protected = {memory.id for memory in existing if is_protected(memory)}
    return [_protect(decision, protected) for decision in decisions if not _only_retracts(decision, protected)]


def _only_retracts(decision: Decision, protected: set[UUID]) -> bool:
    return isinstance(decision, Retract) and decision.candidate is None and decision.old_id in protected


def _protect(decision: Decision, protected: set[UUID]) -> Decision:
    match decision:
        case (
            Supersede(old_id=old, candidate=stated, fulfills_plan=True)
            | Supersede(old_id=old, candidate=stated, adds_detail=True)
        ) if old in protected:
            return Insert(stated, explanation="what it follows on is the person's own")
        case (
            Supersede(old_id=old, candidate=Candidate() as stated)
            | Retract(old_id=old, candidate=Candidate() as stated)
        ) if old in protected:
            return Drop(stated, "said_by_person", explanation="an agent replaces nothing of the person's own")
        case _:
            return decision
