"""Finds the stored memories that words for what has ended name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory, MemoryType
from keepsake.domain.merging.changes.endings.names_of_memory import (
    MAX_TARGETS,
    is_past_event,
    naming_words,
    words_of_memory,
)
from keepsake.domain.merging.changes.endings.other_things import without_other_things
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import attribute_of_self, is_of_self, kinds_of
from keepsake.domain.text import stem, word_set

NAME_NOTHING = frozenset(
    stem(word)
    for word in word_set(
        "trip holiday vacation flight ticket plan idea visit thing stuff work home school house job life it that one"
        " day time point way place anything something everything nothing all sure hold point list internet phone"
        " not never"
    )
)
"""Words that name no memory by themselves."""
_NEGATION = re.compile(r"\b(?:not|never|cannot|no longer)\b", re.IGNORECASE)
"""In a memory: it says what is not so, which nothing ends."""
OF_ANOTHER = re.compile(r"\w's \w")
"""In the words that name something: it belongs to somebody else ("sister's old Skoda")."""


def find_ended(endings: Sequence[str], memories: Iterable[Memory], *, said_at: datetime) -> list[Memory]:
    """The memories that share a word with the words that name what has ended; none where it could be many.

    A taste is meant only where it alone is named: who quits the climbing gym may still love climbing.
    """
    found: dict[UUID, Memory] = {}
    known = [
        memory
        for memory in memories
        if may_change(memory, said_at) and not (_NEGATION.search(memory.text) or is_past_event(memory))
    ]
    for ending in endings:
        named = [memory for memory in known if _is_named(memory, ending)]
        if OF_ANOTHER.search(ending):
            named = [memory for memory in named if not is_of_self(memory)]
        if len(named) <= MAX_TARGETS:
            found.update((memory.id, memory) for memory in named)
    return list(found.values())


def _is_named(memory: Memory, ending: str) -> bool:
    stems = content_words(without_other_things(ending, words_of_memory(memory))) - NAME_NOTHING
    if not stems:
        return False
    predicate, _, rest = memory.text.partition(" ")
    if attribute_of_self(memory) == "when":  # it begins with what happens: "Wedding is on 14 June"
        predicate, rest = "", memory.text
    said = content_words(f"{rest} {memory.entity_label or ''}") - NAME_NOTHING - content_words(predicate)
    about = naming_words(memory, said)
    if memory.type is MemoryType.PATTERN and stems == content_words(predicate):
        return True  # "no more running" means "Runs at Roath"
    if "taste" in kinds_of(memory):
        favorite = attribute_of_self(memory).startswith("favorite_")
        return bool(about) and stems == (content_words((memory.value or "").replace("_", " ")) if favorite else about)
    return not about.isdisjoint(stems)
