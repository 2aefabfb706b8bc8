"""Reads what the author has a new one of ("I've got a new boss"), and finds the memories about the one before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.endings.ending_phrases import concerns_author
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import OWNS, attribute_of_self, kinds_of

WordGroup = tuple[str, ...]
"""Words for the same, of which a person mostly has one: "boss", "manager"."""
_GROUPS: tuple[WordGroup, ...] = tuple(
    tuple(map(str.strip, line.split(","))) for line in load_lines("roles_held_by_one", __package__)
)
_NEW = re.compile(rf"\b(?<!the )new (?P<what>{'|'.join(word for group in _GROUPS for word in group)})\b", re.IGNORECASE)
_KINDS_OF_GROUPS = {"job": frozenset({"occupation", "employment"}), "boyfriend": frozenset({"partner"})}
"""The kinds of memories that are about a group, by its first word."""


def may_have_successor(text: str) -> bool:
    """Whether a message names something that is new."""
    return _NEW.search(text) is not None


def read_successors(words: str) -> Iterator[WordGroup]:
    """The words for what the author of a clause has a new one of; mostly none."""
    for match in _NEW.finditer(words):
        if concerns_author(words[: match.start()]):
            yield next(group for group in _GROUPS if match["what"].lower() in group)


def find_predecessors(groups: Sequence[WordGroup], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories about whom or what the person had before a new one."""
    known = [memory for memory in memories if may_change(memory, said_at)]
    return [memory for group in groups for memory in known if _is_about(memory, group)]


def _is_about(memory: Memory, group: WordGroup) -> bool:
    """Whether the memory is about what the words of the group name."""
    named = (
        memory.text.lower().startswith(tuple(f"{word} " for word in group)) or parse_key(memory.key).subject in group
    )
    owned = OWNS.match(memory.text) is not None and any(
        re.search(rf"\b{re.escape(word)}\b", memory.text, re.IGNORECASE) for word in group
    )
    kinds = _KINDS_OF_GROUPS.get(group[0], frozenset())
    return (
        named
        or owned
        or not kinds.isdisjoint(kinds_of(memory))
        or (group[0] == "flat" and attribute_of_self(memory) == "home")
    )
