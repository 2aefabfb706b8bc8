"""Resolves a relation to a known relative: "my daughter" is Emma, where Emma is the only daughter known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key

_SINGLE_VALUED = frozenset({"age", "home", "occupation", "employer"})
OTHER_PERSON = frozenset({"other", "another", "second", "third"})
"""What stands in the place of a name, and says only that it is not the one known so far ("other sister")."""


@dataclass(frozen=True, slots=True)
class _Slot:
    """The parts of a key about a relative: ``relationship|person|daughter|emma|age``."""

    relation: str
    name: str | None
    attribute: str

    @property
    def key(self) -> str:
        owner = f"{self.relation}|{self.name}" if self.name else self.relation
        return f"relationship|person|{owner}|{self.attribute}"


def resolve_relative(candidate: Candidate, active: Sequence[Memory]) -> Candidate:
    """The candidate with the name of the only relative it can be about, where the author left the name out."""
    slot = _parse_slot(candidate.key)
    if slot is None or slot.name is not None:
        return candidate
    if not is_relation(slot.relation) and (relation := _find_relation(slot.relation, active)):
        return replace(candidate, key=_Slot(relation, slot.relation, slot.attribute).key)
    known = names_by_relation(slot.relation, active)
    if len(known) != 1:
        return candidate
    ((name, label),) = known.items()
    relation_words = slot.relation.replace("_", " ")
    rest = candidate.text[len(relation_words) :] if candidate.text.lower().startswith(f"{relation_words} ") else None
    return replace(
        candidate,
        key=replace(slot, name=name).key,
        text=candidate.text if rest is None else f"{candidate.text[: len(relation_words)]} {label}{rest}",
        entity_refs=tuple(dict.fromkeys([f"person:{name}", *candidate.entity_refs[1:]])),
        entity_label=label,
    )


def candidate_keys(candidate: Candidate, active: Sequence[Memory]) -> tuple[str, ...]:
    """The keys of the same statement: its own, and the one without the name if that can mean nobody else."""
    slot = _parse_slot(candidate.key)
    if candidate.key is None or slot is None or slot.name is None:
        return () if candidate.key is None else (candidate.key,)
    others = set(names_by_relation(slot.relation, active)) - {slot.name} | (OTHER_PERSON & {slot.name})
    return (candidate.key,) if others else (candidate.key, replace(slot, name=None).key)


def _parse_slot(key: str | None) -> _Slot | None:
    parts = parse_key(key)
    if not parts.relation or len(parts.rest) not in (1, 2) or parts.last not in _SINGLE_VALUED:
        return None
    return _Slot(parts.relation, parts.name or None, parts.last)


def _find_relation(name: str, active: Sequence[Memory]) -> str | None:
    """The relation of the only relative of that name."""
    keys = [(parse_key(memory.key), memory.value) for memory in active]
    found = {
        key.relation for key, value in keys if key.rest and name in (key.name, value if key.last == "name" else "")
    }
    found.discard("")
    return found.pop() if len(found) == 1 else None


def names_by_relation(relation: str, active: Sequence[Memory]) -> dict[str, str]:
    """The known names of a relation: each slug with its spelling."""
    found: dict[str, str] = {}
    for memory in active:
        key = parse_key(memory.key)
        if not relation or key.relation != relation:
            continue
        name = memory.value if key.last == "name" else key.name if len(key.rest) == 2 else None
        if name and name not in OTHER_PERSON:
            found.setdefault(name, memory.entity_label or name.replace("_", " ").title())
    return found
