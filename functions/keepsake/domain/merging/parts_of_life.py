"""The parts of a life of which a sentence may say that it has changed: home, work, partner, health and others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.memory_kinds import attribute_of_self, kinds_of

_OF_KIND = {
    "home": "home", "occupation": "work", "employment": "work", "study": "study", "partner": "partner", "pet": "pet",
    "relative": "relative", "diet": "diet", "habit": "habit", "possession": "possession", "goal": "plan",
    "plan": "plan",
}  # fmt: skip
"""The part that memories of a kind are about."""
_OF_ATTRIBUTE = {
    "name": "name", "nickname": "name", "age": "name", "pronouns": "name", "relationship_status": "partner",
    "work_status": "work", "expecting": "relative", "pet": "pet", "pet_fact": "pet",
}  # fmt: skip
_ABOUT_HEALTH = re.compile(rf"\b(?:{'|'.join(load_lines('words_of_health', __package__))})", re.IGNORECASE)
_UNDER_WAY = re.compile(r"(?:Is|Are) (?:\w+ing|on (?:an?|the))\b")
_NARROWER = {"partner": "relative", "pet": "possession"}
"""A memory of the first part is none of the second."""


@lru_cache(maxsize=4096)
def parts_of(memory: Memory | Candidate) -> frozenset[str]:
    """The parts of life that a memory is about."""
    parts = {_OF_KIND[kind] for kind in kinds_of(memory) & _OF_KIND.keys()}
    if (attribute := attribute_of_self(memory)) in _OF_ATTRIBUTE:
        parts.add(_OF_ATTRIBUTE[attribute])
    if _ABOUT_HEALTH.search(memory.text):
        parts |= {"health", "diet"}
    if not parts and _UNDER_WAY.match(memory.text):
        parts.add("plan")
    return frozenset(parts - {wide for narrow, wide in _NARROWER.items() if narrow in parts})


def kinds_of_parts(parts: Iterable[str]) -> set[str]:
    """The kinds of memories that are about these parts."""
    wanted = frozenset(parts)
    return {kind for kind, part in _OF_KIND.items() if part in wanted}


def attributes_of_parts(parts: Iterable[str]) -> set[str]:
    """The attributes of memories that are about these parts, beside those of the kinds."""
    wanted = frozenset(parts)
    return {attribute for attribute, part in _OF_ATTRIBUTE.items() if part in wanted}
