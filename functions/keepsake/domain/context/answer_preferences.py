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
_KEY_PREFIX = "fact|person|self|"
_LISTED = re.compile(
    r"Prefers (?:answers (?:in|without) [\w -]{2,30}|\w{4,10} answers|an? \w{4,14} tone|\w{4,12} units|"
    r"(?:in)?formal address|"
    r"explanations for an? [\w -]{3,16})"
)
"""The texts of these memories. Others with such a key, as a model may make them, are memories like any other."""


def answer_slot(memory: Memory) -> str | None:
    """The slot that a memory fills; None where it does not say how to answer."""
    key = memory.key or ""
    attribute = key.removeprefix(_KEY_PREFIX)
    if not key.startswith(_KEY_PREFIX) or attribute not in ANSWER_SLOTS or not _LISTED.fullmatch(memory.text):
        return None
    return attribute


def newest_preferences(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """The newest memory of each slot, in the order of the slots."""
    newest: dict[str, Memory] = {}
    for memory in sorted(memories, key=lambda m: (m.last_said_at, m.memory_no)):
        if slot := answer_slot(memory):
            newest[slot] = memory
    return tuple(newest[slot] for slot in ANSWER_SLOTS if slot in newest)
