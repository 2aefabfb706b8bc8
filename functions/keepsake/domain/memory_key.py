"""The memory key in its parts: ``fact|person|self|likes|pizza``, ``relationship|person|daughter|emma|age``."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

SELF = "self"
"""The subject of what is said about the author."""
_FOLD = "fold"


class MemoryKey(NamedTuple):
    """What a memory is about: after the subject, the author has an attribute, a relative perhaps a name before it."""

    kind: str = ""
    """The type of the memory; ``fold`` where several memories became one."""
    entity_type: str = ""
    subject: str = ""
    """``self``, or the relation of a relative."""
    rest: tuple[str, ...] = ()

    @property
    def attribute(self) -> str:
        """The attribute of the author ("likes"); empty of anybody else."""
        return self.rest[0] if self.rest and self.entity_type == "person" and self.subject == SELF else ""

    @property
    def what(self) -> str:
        """What of the attribute ("pizza"), where the author may have several."""
        return "|".join(self.rest[1:]) if self.attribute else ""

    @property
    def relation(self) -> str:
        """The relation of the relative ("daughter"); empty where it is about the author or something else."""
        is_of_relative = self.kind == "relationship" and self.entity_type == "person" and self.subject != SELF
        return self.subject if is_of_relative else ""

    @property
    def name(self) -> str:
        """The name of the relative ("emma"), where the key has one."""
        return self.rest[0] if self.relation and len(self.rest) > 1 else ""

    @property
    def last(self) -> str:
        """The last part: of a relative, the attribute."""
        return self.rest[-1] if self.rest else ""

    @property
    def is_fold(self) -> bool:
        """Whether several memories became this one."""
        return self.kind == _FOLD


@lru_cache(maxsize=4096)  # every pair of a candidate and a memory asks for both keys several times
def parse_key(key: str | None) -> MemoryKey:
    """The parts of a key; all of them are empty where there is none."""
    kind, *parts = (key or "").split("|")
    if kind == _FOLD:
        parts = parts[1:]
    return MemoryKey(kind, "".join(parts[:1]), "".join(parts[1:2]), tuple(parts[2:]))
