"""Who the assistant is talking with: the name, nickname and pronouns that stand in the prompt's identity line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import Memory

IdentitySlot = Literal["name", "nickname", "pronouns"]

IDENTITY_SLOTS: tuple[IdentitySlot, ...] = ("name", "nickname", "pronouns")
"""What the identity line is made of."""


@dataclass(frozen=True, slots=True)
class IdentityLine:
    """What is known of who the person is; nothing known makes them a guest."""

    name: str | None = None
    nickname: str | None = None
    pronouns: str | None = None
    memory_ids: tuple[UUID, ...] = ()
    """The memories it rests on; they cost no place among the chosen ones."""


GUEST = IdentityLine()
"""Somebody of whom nothing is known."""


def identity_slot(memory: Memory) -> IdentitySlot | None:
    """Which part of the identity line a memory fills: ``fact|person|self|name`` is the name."""
    if memory.key is None:
        return None
    parts = memory.key.split("|")
    if len(parts) != 4 or parts[1:3] != ["person", "self"]:
        return None
    return next((slot for slot in IDENTITY_SLOTS if slot == parts[3]), None)


def identity_line(
    memories: Iterable[Memory],
    *,
    name: str | None = None,
    nickname: str | None = None,
    pronouns: str | None = None,
) -> IdentityLine:
    """The identity line from what the person said, and from their profile where they said nothing."""
    newest: dict[IdentitySlot, Memory] = {}
    for memory in sorted(memories, key=lambda m: (m.valid_from, m.memory_no)):
        slot = identity_slot(memory)
        if slot is not None:
            newest[slot] = memory
    values = {slot: _value_as_written(memory) for slot, memory in newest.items()}
    return IdentityLine(
        name=values.get("name") or name or None,
        nickname=values.get("nickname") or nickname or None,
        pronouns=values.get("pronouns") or pronouns or None,
        memory_ids=tuple(newest[slot].id for slot in IDENTITY_SLOTS if slot in newest),
    )


def _value_as_written(memory: Memory) -> str:
    """The value as the memory spells it: values are compared in lower case, names are written with capitals."""
    value = memory.value or ""
    parts = [re.escape(part) for part in re.split(r"[\W_]+", value) if part]
    found = re.search(r"[\W_]+".join(parts), memory.text, re.IGNORECASE) if parts else None
    return found.group() if found else value or memory.text
