"""Reads a clause about somebody whom stored memories name: "Leo just turned 7" is about the son Leo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.changes import first_name
from keepsake.domain.reading.clauses import Clause
from keepsake.domain.reading.statements import from_clause
from keepsake.domain.text import words

_WITH_AUTHOR = (["and", "i"], ["and", "me"])
_MIN_NAME_LENGTH = 2


def read_with_names(clause: Clause, memories: Sequence[Memory]) -> Candidate | None:
    """The candidate of a clause whose subject is a known person or animal; None where it is not, or is read anyway."""
    start, named = first_name(clause.words)
    before, after = clause.words[:start], clause.words[start + len(named) :]
    owner = known_names(memories).get(named.casefold())
    if owner is None or not after.removeprefix("'s") or from_clause(clause) is not None:
        return None
    relation, name = owner
    subject = name if words(after)[:2] in _WITH_AUTHOR else f"my {relation} {name}"
    read = from_clause(replace(clause, words=f"{before}{subject}{after}"))
    is_of_another = after.startswith("'s") and read is not None and read.value == "yes"  # "Priya's mum is staying"
    return None if is_of_another else read


def known_names(memories: Sequence[Memory]) -> dict[str, tuple[str, str]]:
    """The names that memories give to relatives and animals, each with the relation and its spelling."""
    found: dict[str, tuple[str, str]] = {}
    for memory in memories:
        key, label = parse_key(memory.key), memory.entity_label or ""
        if key.kind == "relationship" and key.attribute == "pet" and label and memory.value:
            relation, name = memory.text.partition(" ")[0].lower() if key.last == "age" else memory.value, label
        elif key.relation and key.rest:
            relation, name = key.relation, label or key.name.replace("_", " ").title()
        else:
            continue
        first = name.partition(" ")[0]
        if len(first) >= _MIN_NAME_LENGTH:
            found.setdefault(first.casefold(), (relation.replace("_", " "), name))
    return found
