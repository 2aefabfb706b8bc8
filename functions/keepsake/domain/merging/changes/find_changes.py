"""Compares the changes of a message with stored memories: what is stated anew, what ends, what becomes doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.known_people import find_awaited, read_with_names
from keepsake.domain.merging.changes.life_changes import find_life_changes
from keepsake.domain.merging.decisions import Decision, Doubt, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, is_of_self
from keepsake.domain.merging.precedence import with_key
from keepsake.domain.reading.changes import ChangeStatement

_OVER = "the person says that {} is over"
_OF_WORK = frozenset({"employer", "occupation", "work"})
"""Attributes of which one takes the place of another: who drives a bus now is no cook any more."""
_VALUES_OF_NOTHING = frozenset({"yes", "no", "like", "dislike"})


@dataclass(slots=True)
class FoundChanges:
    """Statements that replace memories, memories that end, and memories that become doubtful."""

    candidates: list[Candidate] = field(default_factory=list)
    ended: dict[UUID, Retract] = field(default_factory=dict)
    doubted: dict[UUID, Doubt] = field(default_factory=dict)
    work: set[UUID] = field(default_factory=set)
    """The doubted memories of the author's work, which end if the same message states what it is now."""

    def end(self, memory: Memory, explanation: str, why: str) -> None:
        """Note that a memory is over; ``why`` is the mechanism that found it."""
        self.ended.setdefault(memory.id, Retract(memory.id, None, explanation.format(memory.ref), why))

    def doubt(self, memory: Memory, why: str) -> None:
        """Note that a memory may have changed, where it is not in doubt already."""
        if memory.doubted_at is None:
            explanation = f"{memory.ref} may no longer hold after what the person said"
            self.doubted.setdefault(memory.id, Doubt(memory.id, explanation, why))


def find_changes(
    statements: Sequence[ChangeStatement], memories: Sequence[Memory], *, said_at: datetime
) -> FoundChanges:
    """What the changes of a message do to the memories that they may mean."""
    found = FoundChanges()
    known = [with_key(memory) for memory in memories]
    for statement in statements:
        for memory in _denied(statement.denied, known, said_at):
            found.doubt(memory, "denial")
        for change in find_life_changes(statement, known, said_at):
            if change.is_over:
                found.end(change.memory, _OVER, "life_change")
            else:
                found.doubt(change.memory, "life_change")
        for memory in find_awaited(statement, known, said_at):
            if attribute_of_self(memory) == "has":  # how many children there were
                found.doubt(memory, "birth")
            else:
                found.end(memory, _OVER, "birth")
        for memory in known:
            if memory.id in statement.taken_back and may_change(memory, said_at):
                found.end(memory, "the person says that {} was a joke", "taken_back")
        if (restated := read_with_names(statement, known)) is not None:
            found.candidates.append(replace(restated, corrects=True))
    found.work = {memory.id for memory in known if memory.id in found.doubted and attribute_of_self(memory) in _OF_WORK}
    return found


def _denied(denial: str, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the author that a denial names whole: their value, what their key names, or all but the verb."""
    said = content_words(denial)
    for memory in memories if said else ():
        value = parse_key(memory.key).what if memory.value in _VALUES_OF_NOTHING else memory.value
        named = content_words((value or memory.text.partition(" ")[2]).replace("_", " "))
        if is_of_self(memory) and may_change(memory, said_at) and named and named <= said:
            yield memory


def after_statements(decisions: Sequence[Decision], found: FoundChanges) -> list[Decision]:
    """The decisions about the statements of the message, and after them those about its changes.

    A memory that the statements change already is not changed again.
    """
    changed = {_changed_id(decision) for decision in decisions}
    stated = {attribute_of_self(one.candidate) for one in decisions if isinstance(one, Insert | Supersede)}
    for known in found.work if _OF_WORK & stated else ():
        doubt = found.doubted.pop(known)
        explanation = f"{doubt.explanation}, and says what holds instead"
        found.ended.setdefault(known, Retract(known, None, explanation, doubt.why))
    ended = [one for one in found.ended.values() if one.old_id not in changed]
    changed |= found.ended.keys()
    return [*decisions, *ended, *(one for one in found.doubted.values() if one.memory_id not in changed)]


def _changed_id(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=changed) | Supersede(old_id=changed) | Retract(old_id=changed):
            return changed
        case _:
            return None
