"""Finds the memories that somebody denies: "You said I have a dog. That is my cousin, not me"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import is_of_self

_VALUES_OF_NOTHING = frozenset({"yes", "no", "like", "dislike"})


def find_denied(denials: Sequence[str], memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the author that one of these names whole."""
    for said in map(content_words, denials):
        for memory in memories:
            if is_of_self(memory) and may_change(memory, said_at) and (named := _names(memory)) and named <= said:
                yield memory


def _names(memory: Memory) -> set[str]:
    """The stems of what a memory is about: its value, or what its key names, or all but its verb."""
    value = memory.value if memory.value and memory.value not in _VALUES_OF_NOTHING else parse_key(memory.key).what
    predicate, _, rest = memory.text.partition(" ")
    about = content_words((value or "").replace("_", " "))
    return about or content_words(rest) - content_words(predicate)
