"""Compares the changes of a message with stored memories: what is stated anew, what ends, what becomes doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.extraction.rules.clauses.normalize_clause import normalize_clause
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.matching.apply_rules import from_clause
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.changes.change_rules.change_rules import RULES
from keepsake.domain.merging.changes.change_rules.change_targets import find_targets, names_older_child
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.denials import find_denied
from keepsake.domain.merging.changes.endings.find_ended import find_ended
from keepsake.domain.merging.changes.known_names import read_with_names
from keepsake.domain.merging.changes.life_changes.find_life_changes import find_life_changes
from keepsake.domain.merging.decisions import Decision, Doubt, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self
from keepsake.domain.merging.precedence import with_key
from keepsake.domain.text import normalize_apostrophes

_CHANGE_RULE = "change_rule"
_NOT_REPLACED_BY = {"home": frozenset({"living"})}
"""For an attribute, those about the same part of a life that do not replace it: with whom one lives is not where."""


@dataclass(slots=True)
class FoundChanges:
    """Statements that replace memories, memories that end, and memories that become doubtful; each with its reason."""

    candidates: list[Candidate] = field(default_factory=list)
    ended: dict[UUID, str] = field(default_factory=dict)
    doubted: dict[UUID, str] = field(default_factory=dict)
    why: dict[UUID, str] = field(default_factory=dict)
    """For each memory that ends or becomes doubtful, the mechanism that found the change."""
    replaceable: dict[UUID, frozenset[str]] = field(default_factory=dict)
    """For each doubted memory, the attributes by which it ends, if the same message states one of them anew."""


def find_changes(
    statements: Sequence[ChangeStatement],
    memories: Sequence[Memory],
    *,
    said_at: datetime,
    stated: Sequence[Candidate] = (),
) -> FoundChanges:
    """What the changes of a message do to the memories that they may mean.

    ``stated`` are the statements found in the message: what one of them says of a change is not stated again.
    """
    found = FoundChanges()
    changed = {normalize_apostrophes(one.quote) for one in stated if one.corrects and one.text}
    known = [with_key(memory) for memory in memories]
    for statement in statements:
        _apply_rules(
            statement, known, said_at, found, is_repeated=normalize_apostrophes(statement.clause.quote) in changed
        )
        for why, memories_in_doubt in (
            ("ending", find_ended(statement.endings, known, said_at=said_at)),
            ("denial", find_denied(statement.denied, known, said_at)),
            ("life_change", find_life_changes(statement, known, said_at)),
        ):
            for memory in memories_in_doubt:
                _doubt(memory, found, why)
        for memory in known:
            if memory.id in statement.taken_back and may_change(memory, said_at):
                _end(memory, found, f"the person says that {memory.ref} was a joke", "taken_back")
        if (restated := read_with_names(statement.clause, known)) is not None:
            found.candidates.append(replace(restated, corrects=True))
    return found


def after_statements(decisions: Sequence[Decision], found: FoundChanges) -> list[Decision]:
    """The decisions about the statements of the message, and after them those about its changes.

    A memory that the statements change already is not changed again.
    """
    changed = {_changed_id(decision) for decision in decisions}
    stated = {attribute_of_self(one.candidate) for one in decisions if isinstance(one, Insert | Supersede)}
    for known, attributes in found.replaceable.items():
        if not attributes.isdisjoint(stated):
            found.ended.setdefault(known, f"{found.doubted.pop(known)}, and says what holds instead")
    ended = [_retract(old, reason, found) for old, reason in found.ended.items() if old not in changed]
    changed |= found.ended.keys()
    doubts = found.doubted.items()
    doubted = [Doubt(known, reason, found.why.get(known, "")) for known, reason in doubts if known not in changed]
    return [*decisions, *ended, *doubted]


def _retract(old: UUID, reason: str, found: FoundChanges) -> Retract:
    return Retract(old, None, reason, found.why.get(old, ""))


def _changed_id(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=changed) | Supersede(old_id=changed) | Retract(old_id=changed):
            return changed
        case _:
            return None


def _apply_rules(
    statement: ChangeStatement, known: Sequence[Memory], said_at: datetime, found: FoundChanges, *, is_repeated: bool
) -> None:
    for match in statement.matches:
        rule = RULES[match.rule_index]
        targets = find_targets(rule, match.object, known, said_at=said_at)
        if rule.is_event:
            words = statement.clause.words
            targets = [
                one
                for one in targets
                if happened_since(words, one, said_at) and not names_older_child(words, one, known)
            ]
        if not targets:
            continue
        if rule.effect == "doubt":
            for memory in targets:
                _doubt(memory, found, _CHANGE_RULE, replaced_by=rule.attributes)
            continue
        for memory in targets:
            _end(memory, found, f"the person says that {memory.ref} is over", _CHANGE_RULE)
        if not is_repeated:
            words = rule.reads_as.format(object=match.object, new=match.new)
            found.candidates.extend(_restated(words, statement.clause))


def _end(memory: Memory, found: FoundChanges, reason: str, why: str) -> None:
    found.ended[memory.id], found.why[memory.id] = reason, why


def _doubt(memory: Memory, found: FoundChanges, why: str, *, replaced_by: frozenset[str] = frozenset()) -> None:
    if memory.doubted_at is None:
        found.why.setdefault(memory.id, why)
        found.doubted.setdefault(memory.id, f"{memory.ref} may no longer hold after what the person said")
        if (attribute := attribute_of_self(memory)) in replaced_by:
            found.replaceable.setdefault(memory.id, replaced_by - _NOT_REPLACED_BY.get(attribute, frozenset()))


def _restated(words: str, clause: Clause) -> Iterator[Candidate]:
    """The candidate of a statement in other words, with the quote of the clause."""
    if not words:
        return
    candidate = from_clause(replace(clause, words=normalize_clause(words).words, corrects=True))
    if candidate is not None:
        yield replace(candidate, corrects=True)
