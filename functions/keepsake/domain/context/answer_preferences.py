"""How the person wants to be answered: a closed set of slots, of which the newest memory counts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from keepsake.domain.memory import Memory

ANSWER_SLOTS = (
    "answer_language", "answer_length", "answer_format", "answer_tone", "answer_units", "answer_address",
    "answer_level",
)  # fmt: skip
"""The attributes of a key that say how to answer."""
_SLOT_OF_KEY = {f"fact|person|self|{slot}": slot for slot in ANSWER_SLOTS}
_LISTED = re.compile(
    r"Prefers (?:answers (?:in|without) [\w -]{2,30}|\w{4,10} answers|an? \w{4,14} tone|\w{4,12} units|"
    r"(?:in)?formal address|"
    r"explanations for an? [\w -]{3,16})"
)
"""The texts of these memories. Others with such a key, as a model may make them, are memories like any other."""


def answer_slot(memory: Memory) -> str | None:
    """The slot that a memory fills; None where it does not say how to answer."""
    slot = _SLOT_OF_KEY.get(memory.key or "")
    return slot if slot and _LISTED.fullmatch(memory.text) else None


def newest_preferences(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """The newest memory of each slot, in the order of the slots."""
    preferences = [(slot, memory) for memory in memories if (slot := answer_slot(memory))]
    newest = dict(sorted(preferences, key=lambda p: (p[1].last_said_at, p[1].memory_no)))
    return tuple(newest[slot] for slot in ANSWER_SLOTS if slot in newest)
