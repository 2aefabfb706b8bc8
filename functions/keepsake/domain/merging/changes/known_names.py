"""Reads a clause about somebody whom stored memories name: "Leo just turned 7" is about the son Leo."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.clauses import Clause
from keepsake.domain.reading.statements import from_clause

_SUBJECT = re.compile(r"^(?P<before>me and )?(?P<name>[^\W\d][\w-]*)(?P<possessive>'s)?(?P<after> .+)$", re.IGNORECASE)
_WITH_AUTHOR = re.compile(r"^ and (?:I|me)\b", re.IGNORECASE)
_MIN_NAME_LENGTH = 2


def read_with_names(clause: Clause, memories: Sequence[Memory]) -> Candidate | None:
    """The candidate of a clause whose subject is a known person or animal; None where it is not, or is read anyway."""
    match = _SUBJECT.match(clause.words)
    if match is None or from_clause(clause) is not None:
        return None
    known = known_names(memories)
    owner = known.get(match["name"].casefold())
    if owner is None:
        return None
    relation, name = owner
    subject = name if _WITH_AUTHOR.match(match["after"]) else f"my {relation} {name}"
    words = f"{match['before'] or ''}{subject}{match['possessive'] or ''}{match['after']}"
    read = from_clause(replace(clause, words=words))
    is_of_another = match["possessive"] and read is not None and read.value == "yes"  # "Priya's mum is staying with us"
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
