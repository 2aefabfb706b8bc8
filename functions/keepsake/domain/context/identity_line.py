"""The identity line: the name, nickname and pronouns of the person, from memories or the profile."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.screening.screen import rejection_of_name

IdentitySlot = Literal["name", "nickname", "pronouns"]

IDENTITY_SLOTS: tuple[IdentitySlot, ...] = ("name", "nickname", "pronouns")
"""The parts of the identity line."""
_SLOTS: dict[str, IdentitySlot] = {slot: slot for slot in IDENTITY_SLOTS}
_ENDINGS = tuple(f"|{slot}" for slot in IDENTITY_SLOTS)


@dataclass(frozen=True, slots=True)
class IdentityLine:
    """The parts of the identity line that are known; with none of them the person is "the user"."""

    name: str | None = None
    nickname: str | None = None
    pronouns: str | None = None
    memory_ids: tuple[UUID, ...] = ()
    """The memories it is made from; they take no slot of the context."""


UNNAMED = IdentityLine()
"""The identity of a person of whom nothing is known."""


def identity_slot(memory: Memory) -> IdentitySlot | None:
    """The part of the identity line that a memory contains: ``fact|person|self|name`` is the name."""
    if not (memory.key or "").endswith(_ENDINGS):  # as nearly always
        return None
    key = parse_key(memory.key)
    return None if key.is_fold or key.what else _SLOTS.get(key.attribute)


def has_shown_name(memory: Memory) -> bool:
    """Whether a memory may be shown: one that contains a name only where that may be."""
    return identity_slot(memory) is None or _may_be_shown(_value_as_written(memory))


def identity_line(
    memories: Iterable[Memory],
    *,
    name: str | None = None,
    nickname: str | None = None,
    pronouns: str | None = None,
) -> IdentityLine:
    """The identity line from the newest memories, and from the profile where there is none."""
    newest: dict[IdentitySlot, Memory] = {}
    for memory in sorted(memories, key=lambda m: (m.last_said_at, m.memory_no)):
        slot = identity_slot(memory)
        if slot is not None:
            newest[slot] = memory
    written = {slot: _value_as_written(memory) for slot, memory in newest.items()}
    values = {slot: value for slot, value in written.items() if _may_be_shown(value)}
    return IdentityLine(
        name=values.get("name") or name or None,
        nickname=values.get("nickname") or nickname or None,
        pronouns=values.get("pronouns") or pronouns or None,
        memory_ids=tuple(newest[slot].id for slot in IDENTITY_SLOTS if slot in values),
    )


@lru_cache(maxsize=10_000)
def _may_be_shown(name: str) -> bool:
    """Whether a name may be shown: the person writes that of their profile directly."""
    return rejection_of_name(name) is None


def _value_as_written(memory: Memory) -> str:
    """The value with the capitals that the memory text has; the stored value is lower case."""
    value = memory.value or ""
    parts = [re.escape(part) for part in re.split(r"[\W_]+", value) if part]
    found = re.search(r"[\W_]+".join(parts), memory.text, re.IGNORECASE) if parts else None
    return found.group() if found else value or memory.text
