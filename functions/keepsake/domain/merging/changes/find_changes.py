"""Compares the changes of a message with stored memories: what is stated anew, what ends, what becomes doubtful."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.denials import find_denied
from keepsake.domain.merging.changes.endings.find_ended import find_ended
from keepsake.domain.merging.changes.known_names import read_with_names
from keepsake.domain.merging.changes.life_changes.find_life_changes import find_life_changes
from keepsake.domain.merging.decisions import Decision, Doubt, Reinforce, Retract, Supersede
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.precedence import with_key


@dataclass(slots=True)
class FoundChanges:
    """Statements that replace memories, memories that end, and memories that become doubtful; each with its reason."""

    candidates: list[Candidate] = field(default_factory=list)
    ended: dict[UUID, str] = field(default_factory=dict)
    doubted: dict[UUID, str] = field(default_factory=dict)
    why: dict[UUID, str] = field(default_factory=dict)
    """For each memory that ends or becomes doubtful, the mechanism that found the change."""


def find_changes(
    statements: Sequence[ChangeStatement], memories: Sequence[Memory], *, said_at: datetime
) -> FoundChanges:
    """What the changes of a message do to the memories that they may mean."""
    found = FoundChanges()
    known = [with_key(memory) for memory in memories]
    for statement in statements:
        for why, memories_in_doubt in (
            ("ending", find_ended(statement.endings, known, said_at=said_at)),
            ("denial", find_denied(statement.denied, known, said_at)),
            ("life_change", find_life_changes(statement, known, said_at)),
        ):
            for memory in memories_in_doubt:
                _doubt(memory, found, why)
        for memory in known:
            if memory.id in statement.taken_back and may_change(memory, said_at):
                found.ended[memory.id] = f"the person says that {memory.ref} was a joke"
                found.why[memory.id] = "taken_back"
        if (restated := read_with_names(statement.clause, known)) is not None:
            found.candidates.append(replace(restated, corrects=True))
    return found


def after_statements(decisions: Sequence[Decision], found: FoundChanges) -> list[Decision]:
    """The decisions about the statements of the message, and after them those about its changes.

    A memory that the statements change already is not changed again.
    """
    changed = {_changed_id(decision) for decision in decisions}
    ended = [Retract(old, None, why, found.why.get(old, "")) for old, why in found.ended.items() if old not in changed]
    changed |= found.ended.keys()
    doubts = found.doubted.items()
    doubted = [Doubt(known, reason, found.why.get(known, "")) for known, reason in doubts if known not in changed]
    return [*decisions, *ended, *doubted]


def _changed_id(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=changed) | Supersede(old_id=changed) | Retract(old_id=changed):
            return changed
        case _:
            return None


def _doubt(memory: Memory, found: FoundChanges, why: str) -> None:
    if memory.doubted_at is None:
        found.why.setdefault(memory.id, why)
        found.doubted.setdefault(memory.id, f"{memory.ref} may no longer hold after what the person said")
