"""Finds memories with a value that another one has taken the place of: "got a Yaris instead" and "Drives a Mazda"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise

from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.memory import Memory
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, is_of_self
from keepsake.domain.text import normalize_apostrophes, words

_SIGNS = load_alternations("contrasted_values", __package__)
_REPLACING = re.compile(rf"\b{_SIGNS['replacing']}\b", re.IGNORECASE)
_PRESENT = re.compile(rf"\b{_SIGNS['present']}\b", re.IGNORECASE)
_ADDING = re.compile(rf"\b{_SIGNS['adding']}\b", re.IGNORECASE)
_SINGLE = "single_"
_VALUES = {
    word: (section, line)
    for section, lines in load_sections("contrasted_values", __package__).items()
    if section not in ("replacing", "present", "adding")
    for line in lines
    for word in line.split(", ")
}
"""The class of each value, and the words for the same value."""
_NEVER_REPLACED = frozenset({"speaks", "from", "hometown", "birthplace", "likes", "learned", "native_language"})


def read_contrasts(text: str) -> dict[str, frozenset[str]]:
    """By class, the values that a message names with words by which one takes the place of another; mostly none."""
    normalized = normalize_apostrophes(text)
    if _ADDING.search(normalized):
        return {}
    is_replacing, is_now = _REPLACING.search(normalized), _PRESENT.search(normalized)
    if not (is_replacing or is_now):
        return {}
    return {name: found for name, found in _values_in(normalized).items() if is_replacing or name.startswith(_SINGLE)}


def values_of(contrasts: Mapping[str, frozenset[str]]) -> str:
    """The words for all values of these classes, by which memories with another value are found."""
    return " ".join(word for word, (name, _) in _VALUES.items() if name in contrasts)


def find_contrasted(
    contrasts: Mapping[str, frozenset[str]], memories: Iterable[Memory], said_at: datetime
) -> list[Memory]:
    """The memories of the person with a value of a class, where the message names another value of it."""
    found = []
    for memory in memories if contrasts else ():
        if not (is_of_self(memory) and may_change(memory, said_at)) or attribute_of_self(memory) in _NEVER_REPLACED:
            continue
        known = _values_in(memory.text)
        if any(known.get(name) and known[name] != named and named - known[name] for name, named in contrasts.items()):
            found.append(memory)
    return found


def _values_in(text: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    named = words(text)
    for phrase in (*named, *map(" ".join, pairwise(named))):
        if (known := _VALUES.get(phrase)) is not None:
            found.setdefault(known[0], set()).add(known[1])
    return {name: frozenset(values) for name, values in found.items()}
