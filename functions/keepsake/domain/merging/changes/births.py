"""Finds the pregnancy that is over by a birth, and how many children there were before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
_SIBLING = re.compile(r"^(?:(?:Older|Younger|Little|Big|Twin) )?(?:Sister|Brother|Sibling)\b")
_CHILDREN = word_set("kids kid children child sons daughters boys girls son daughter")
"""Parts of keys that name own children."""


def find_awaited(birth: Birth, clause: str, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the pregnancy that is over by a birth."""
    names = {name for name, (relation, _) in known_names(memories).items() if relation in PARTNERS}
    mother = content_words(birth.mother)
    for memory in memories:
        is_of_couple = (
            attribute_of_self(memory)
            or "partner" in kinds_of(memory)
            or memory.text.partition(" ")[0].casefold() in names
        )
        is_target = {
            "couple": bool(is_of_couple),
            "sibling": _SIBLING.search(memory.text) is not None,
            "another": bool(mother) and mother <= content_words(f"{memory.text} {memory.entity_label or ''}"),
        }[birth.of]
        if is_target and _AWAITED.search(memory.text) and _is_since(clause, memory, memories, said_at):
            yield memory


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
