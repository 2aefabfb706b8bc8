"""Finds memories that are out of date: what was awaited has come, or the person has a new one of what they had."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.change_targets import find_ended
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import OWNS, attribute_of_self, kinds_of

_PENDING = re.compile(rf"\b{load_alternations('pending', __package__)['pending']}\b", re.IGNORECASE)
_KINDS_OF_GROUPS = {"job": frozenset({"occupation", "employment"}), "boyfriend": frozenset({"partner"})}


def find_arrived(arrived: Sequence[str], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories by which the person waits for, seeks or works towards what has come about."""
    pending = [memory for memory in memories if _PENDING.search(memory.text)]
    return find_ended(arrived, pending, said_at=said_at)


def find_renewed(renewed: Sequence[tuple[str, ...]], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories about what the person has a new one of: whom or what they had before."""
    known = [memory for memory in memories if may_change(memory, said_at)]
    return [memory for group in renewed for memory in known if _is_one_of(memory, group)]


def _is_one_of(memory: Memory, group: tuple[str, ...]) -> bool:
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
