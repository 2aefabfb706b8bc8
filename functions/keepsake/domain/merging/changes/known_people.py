"""Finds what changes about people whom memories name: "Leo just turned 7" is of a son, "Ana had her baby" of Ana."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from keepsake.domain.english.kinship import PARTNERS
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, kinds_of
from keepsake.domain.reading.changes import ChangeStatement
from keepsake.domain.reading.statements import from_clause
from keepsake.domain.text import word_set, words

_WITH_AUTHOR = (["and", "i"], ["and", "me"])
_MIN_NAME_LENGTH = 2
_AWAITED = word_set("baby child boy girl son daughter twins triplets")
_NOT_AWAITED = word_set("call parcel package delivery visitor visitors guest guests raise bonus rain")
_IS_DUE = word_set("is baby wife partner girlfriend fiancé fiancée fiancee spouse")
"""How a memory begins that says when a child is due."""
_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""


def read_with_names(statement: ChangeStatement, memories: Sequence[Memory]) -> Candidate | None:
    """The candidate of a clause whose subject is a known person or animal; None where it is not, or is read anyway."""
    clause, (before, named, after) = statement.clause, statement.subject
    owner = _known_names(memories).get(named.casefold())
    if owner is None or not after.removeprefix("'s") or from_clause(clause) is not None:
        return None
    relation, name = owner
    subject = name if words(after)[:2] in _WITH_AUTHOR else f"my {relation} {name}"
    read = from_clause(replace(clause, words=f"{before}{subject}{after}"))
    is_of_another = after.startswith("'s") and read is not None and read.value == "yes"  # "Priya's mum is staying"
    return None if is_of_another else read


def _known_names(memories: Sequence[Memory]) -> dict[str, tuple[str, str]]:
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


def find_awaited(statement: ChangeStatement, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the pregnancy that is over by a birth or a loss, and of the number of children."""
    clause, names = statement.clause.words, _known_names(memories)
    partners = {name for name, (relation, _) in names.items() if relation in PARTNERS}
    older = {name for name, (relation, _) in names.items() if relation in _CHILDREN}
    if not statement.birth or not older.isdisjoint(words(clause)):
        return
    mother = content_words(statement.birth)
    for memory in memories:
        said = words(memory.text)
        if statement.birth == ChangeStatement.OURS:
            is_of_parents = "partner" in kinds_of(memory) or said[0] in partners or attribute_of_self(memory) != ""
        else:
            is_of_parents = mother <= content_words(f"{memory.text} {memory.entity_label or ''}")
        is_target = is_of_parents and (_is_of_pregnancy(said) or (_is_count(memory) and not statement.is_lost))
        if is_target and may_change(memory, said_at) and happened_since(clause, memory, said_at):
            yield memory


def _is_count(memory: Memory) -> bool:
    return attribute_of_self(memory) == "has" and not _CHILDREN.isdisjoint(parse_key(memory.key).rest[1:])


def _is_of_pregnancy(said: list[str]) -> bool:
    """Whether a memory with these words tells that somebody awaits a child."""
    if "pregnant" in said or ("expecting" in said and _NOT_AWAITED.isdisjoint(said)):
        return True
    is_due = said[0] in _IS_DUE and "due" in said[:5]
    return is_due or ("having" in said and not _AWAITED.isdisjoint(said))
