"""What a model's statements do to the stored memories that the model was shown: repeat, replace, end, cast doubt.

A model may be wrong about a relation, so each has to pass what other changes pass, and more: the message tells
a change, and what the person confirmed has to be named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import content_words, difference
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.quantities import unsupported_numbers
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Candidate, Memory, Relation
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.find_changes import FoundChanges
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.precedence import check_precedence, reinforce, with_key
from keepsake.domain.reading.changes import may_be_change

_CHANGES = frozenset(Relation) - {Relation.NEW, Relation.REPEATS}
_TAKE_PLACE = frozenset({Relation.REPLACES, Relation.ADDS, Relation.CORRECTS})
_IS_OVER = "the person says that {} is over"
_EXPLANATIONS = {
    Relation.ADDS: "the person adds something to {}",
    Relation.CORRECTS: "the person says that {} was wrong",
    Relation.NEVER_TRUE: "the person says that {} was never true",
}


@dataclass(slots=True)
class RelatedStatements:
    """The statements of a message, sorted by what they do to the memories that they name."""

    candidates: list[Candidate] = field(default_factory=list)
    """What is merged as any other statement."""
    repetitions: list[Reinforce] = field(default_factory=list)
    doubts: list[tuple[Candidate, Memory]] = field(default_factory=list)
    changes: list[tuple[Candidate, Memory]] = field(default_factory=list)
    """Statements that replace or end a memory; they are among the candidates too."""
    dropped: Counter[str] = field(default_factory=Counter)


def sort_by_relation(
    candidates: Sequence[Candidate], memories: Mapping[UUID, Memory], *, message: str, said_at: datetime
) -> RelatedStatements:
    """Sort the statements of a message; ``memories`` are those they name that are still active.

    What replaces a memory without a word of change in the message is merged as a new statement, and what only ends
    one or casts doubt on it is dropped; the relations of a capable model need no such word.
    """
    found = RelatedStatements()
    is_change = may_be_change(message)
    for candidate in candidates:
        memory = memories.get(candidate.related_id) if candidate.related_id else None
        if candidate.relation is Relation.REPEATS and memory is not None and _repeats(candidate, memory, said_at):
            explanation = f"the person says {memory.ref} again"
            found.repetitions.append(reinforce(candidate, memory, said_at, explanation))
        elif candidate.relation not in _CHANGES:
            found.candidates.append(candidate)
        elif is_change or candidate.is_believed:
            further = [memories[one] for one in candidate.more_related_ids if one in memories]
            _sort_change(candidate, memory, said_at, found)
            found.changes += [(candidate, one) for one in further if _refusal(candidate, one, said_at) is None]
        elif candidate.relation in _TAKE_PLACE:
            found.candidates.append(replace(candidate, corrects=False))
        else:
            found.dropped["no_change"] += 1
    return found


def _sort_change(candidate: Candidate, memory: Memory | None, said_at: datetime, found: RelatedStatements) -> None:
    refusal = None if memory is None else _refusal(candidate, memory, said_at)
    if refusal is not None:
        found.dropped[refusal] += 1
        return
    is_doubt = candidate.relation is Relation.DOUBTS
    if memory is not None:
        (found.doubts if is_doubt else found.changes).append((candidate, memory))
    if not is_doubt and candidate.relation is not Relation.NEVER_TRUE:
        found.candidates.append(candidate)


def put_in_place(related: RelatedStatements, decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions, in which a statement takes the place of the first memory that it names, whatever its key.

    That is a new one, and one that merging takes for a repetition of this very memory: the model says that its text
    tells more, or otherwise.
    """
    named = {_identity(one): (one, memory) for one, memory in reversed(related.changes) if one.relation in _TAKE_PLACE}
    taken = {decision.old_id for decision in decisions if isinstance(decision, Supersede | Retract)}
    placed: list[Decision] = []
    for decision in decisions:
        found = named.get(_identity(decision.candidate)) if isinstance(decision, Insert | Reinforce) else None
        if not isinstance(decision, Insert | Reinforce) or found is None:
            placed.append(decision)
            continue
        candidate, memory = found
        repeats = isinstance(decision, Reinforce) and not _says_otherwise(decision, memory)
        if repeats or memory.id in taken:
            is_lost = isinstance(decision, Reinforce) and not repeats
            placed.append(Insert(decision.candidate, "the person says this too") if is_lost else decision)
            continue
        taken.add(memory.id)
        explanation = _EXPLANATIONS.get(candidate.relation, _IS_OVER).format(memory.ref)
        adds_detail = candidate.relation is Relation.ADDS
        placed.append(Supersede(memory.id, decision.candidate, explanation, adds_detail=adds_detail))
    return placed


def _says_otherwise(decision: Reinforce, memory: Memory) -> bool:
    """Whether a capable model's statement says more than the memory it seems to repeat, or less in its place."""
    candidate = decision.candidate
    if not candidate.is_believed or decision.memory_id != memory.id or memory.is_confirmed:
        return False
    said, known = content_words(candidate.text), content_words(memory.text)
    return not said <= known if candidate.relation is Relation.ADDS else said != known


def apply_relations(related: RelatedStatements, decisions: Iterable[Decision], changes: FoundChanges) -> None:
    """Add to ``changes`` which memories end or become doubtful, after the decisions about the statements.

    What is replaced ends only where the statement in its place is stored.
    """
    decisions = list(decisions)
    dropped = {_identity(decision.candidate) for decision in decisions if isinstance(decision, Drop)}
    replaced = {decision.old_id for decision in decisions if isinstance(decision, Supersede | Retract)}
    for candidate, memory in related.changes:
        if memory.id in replaced:
            continue
        if candidate.relation not in _TAKE_PLACE or _identity(candidate) not in dropped:
            changes.end(memory, _EXPLANATIONS.get(candidate.relation, _IS_OVER), candidate.why)
    for candidate, memory in related.doubts:
        changes.doubt(memory, candidate.why)


def _identity(candidate: Candidate) -> tuple[UUID | None, str]:
    return candidate.related_id, candidate.quote


def _repeats(candidate: Candidate, memory: Memory, said_at: datetime) -> bool:
    """Whether the statement adds nothing to the memory."""
    known = with_key(memory)
    if not is_current(memory, said_at) or memory.persona_id != candidate.persona_id:
        return False
    if difference(candidate.text, memory.text) not in (None, "words"):
        return False
    if candidate.is_believed:
        return not unsupported_numbers(candidate.text, Grounds([Said(memory.text)], language=candidate.language))
    named = content_words(" ".join((*parse_key(candidate.key).rest[1:], candidate.value or "")).replace("_", " "))
    said = content_words(f"{memory.text} {(known.value or '').replace('_', ' ')} {known.key or ''}".replace("|", " "))
    return (named or content_words(candidate.text)) <= said


def _refusal(candidate: Candidate, memory: Memory, said_at: datetime) -> str | None:
    """Why the statement may not change the memory, as a stable word."""
    if memory.persona_id != candidate.persona_id:
        return "other_persona"
    if not may_change(memory, said_at):
        return "older" if said_at < memory.last_said_at else "unchangeable"
    if (refusal := check_precedence(replace(candidate, corrects=True), memory, said_at)) is not None:
        return refusal.reason
    is_named = not content_words(candidate.quote).isdisjoint(content_words(memory.text))
    return None if is_named or not memory.is_confirmed else "confirmed"
