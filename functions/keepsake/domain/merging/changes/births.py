"""Finds the pregnancy that is over by a birth, and how many children there were before."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.kinship import PARTNERS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.known_names import known_names
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, kinds_of
from keepsake.domain.reading.changes import Birth
from keepsake.domain.text import word_set, words

_AWAITED = re.compile(load_alternations("births", __package__)["awaited"], re.IGNORECASE)
_AGES, _SIBLINGS = word_set("older younger little big twin"), word_set("sister brother sibling")
"""The words with which a memory of a sibling begins."""
_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""


def find_awaited(birth: Birth, clause: str, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the pregnancy that is over by a birth."""
    partners = {name for name, (relation, _) in known_names(memories).items() if relation in PARTNERS}
    for memory in memories:
        is_target = _AWAITED.search(memory.text) and _is_of_parents(memory, birth, partners)
        if is_target and _is_since(clause, memory, memories, said_at):
            yield memory


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
    older = {name for name, (relation, _) in known_names(before).items() if relation in _CHILDREN}
    return may_change(memory, said_at) and happened_since(clause, memory, said_at) and older.isdisjoint(words(clause))
