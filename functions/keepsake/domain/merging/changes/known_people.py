"""Finds what changes about people whom memories name: "Leo just turned 7" is of a son, "Ana had her baby" of Ana."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import dropwhile

from keepsake.domain.english.kinship import PARTNERS
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, kinds_of
from keepsake.domain.reading.changes import Birth, first_name
from keepsake.domain.reading.clauses import Clause
from keepsake.domain.reading.statements import from_clause
from keepsake.domain.text import word_set, words

_WITH_AUTHOR = (["and", "i"], ["and", "me"])
_MIN_NAME_LENGTH = 2
_BEFORE_CHILD = word_set("a an our the her their my beautiful healthy second third fourth new little")
_AWAITED = word_set("baby child boy girl son daughter twins triplets")
_NOT_AWAITED = word_set("call parcel package delivery visitor visitors guest guests raise bonus rain")
_IS_DUE = word_set("is baby wife partner girlfriend fiancé fiancée fiancee spouse")
"""How a memory begins that says when a child is due."""
_AGES, _SIBLINGS = word_set("older younger little big twin"), word_set("sister brother sibling")
"""The words with which a memory of a sibling begins."""
_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""


def read_with_names(clause: Clause, memories: Sequence[Memory]) -> Candidate | None:
    """The candidate of a clause whose subject is a known person or animal; None where it is not, or is read anyway."""
    start, named = first_name(clause.words)
    before, after = clause.words[:start], clause.words[start + len(named) :]
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


def find_awaited(birth: Birth, clause: str, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the pregnancy that is over by a birth."""
    partners = {name for name, (relation, _) in _known_names(memories).items() if relation in PARTNERS}
    for memory in memories:
        is_target = _is_of_pregnancy(memory) and _is_of_parents(memory, birth, partners)
        if is_target and _is_since(clause, memory, memories, said_at):
            yield memory


def _is_of_pregnancy(memory: Memory) -> bool:
    said = words(memory.text)
    if "pregnant" in said or ("expecting" in said and _NOT_AWAITED.isdisjoint(said)):
        return True
    after = said[said.index("having") + 1 :] if "having" in said else []
    is_due = said[0] in _IS_DUE and "due" in said[:5]
    return is_due or next(dropwhile(_BEFORE_CHILD.__contains__, after), "") in _AWAITED


def _is_of_parents(memory: Memory, birth: Birth, partners: Collection[str]) -> bool:
    """Whether a memory is about those whose child was born; ``partners`` are the names of the author's."""
    said = words(memory.text)
    match birth.of:
        case "couple":
            is_of_partner = "partner" in kinds_of(memory) or said[0] in partners
            return is_of_partner or attribute_of_self(memory) != ""
        case "sibling":
            return said[1 if said[0] in _AGES else 0] in _SIBLINGS
        case _:
            mother = content_words(birth.mother)
            return bool(mother) and mother <= content_words(f"{memory.text} {memory.entity_label or ''}")


def find_counts(birth: Birth, clause: str, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of how many children the author has, after the birth of one."""
    for memory in memories:
        is_count = attribute_of_self(memory) == "has" and not _CHILDREN.isdisjoint(parse_key(memory.key).rest[1:])
        if birth.of == "couple" and is_count and _is_since(clause, memory, memories, said_at):
            yield memory


def _is_since(clause: str, memory: Memory, memories: Sequence[Memory], said_at: datetime) -> bool:
    """Whether the child was born after the memory was said: it is none that was known before."""
    before = [one for one in memories if one.valid_from < memory.valid_from]
    older = {name for name, (relation, _) in _known_names(before).items() if relation in _CHILDREN}
    return may_change(memory, said_at) and happened_since(clause, memory, said_at) and older.isdisjoint(words(clause))
