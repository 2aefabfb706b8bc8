"""Compares what two statements say the person has: "Owns a bakery" and "Has a bakery" say the same."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.memory import Candidate, Memory, MemoryType
from keepsake.domain.merging.memory_kinds import attribute_of_self
from keepsake.domain.text import normalize_apostrophes

_HAS = "has"
_VERBS = load_words("possession_verbs", __package__)
_DETERMINERS = frozenset({"a", "an", "the", "their", "own"})
_ATTRIBUTES = frozenset({"has", "owns", "business"})


def says_same_possession(candidate: Candidate, known: Candidate | Memory) -> bool:
    """Whether both say that the person has the same."""
    if candidate.value != known.value or not (_is_possession(candidate) and _is_possession(known)):
        return False
    words = possession_words(candidate.text)
    return words[:1] == (_HAS,) and words == possession_words(known.text)


def possession_words(text: str) -> tuple[str, ...]:
    """The words of a statement, with one verb of possession and no determiner after it: "has bakery"."""
    verb, *words = normalize_apostrophes(text).lower().rstrip(". ").split() or [""]
    if verb not in _VERBS:
        return (verb, *words)
    while words and words[0] in _DETERMINERS:
        words = words[1:]
    return (_HAS, *words)


def _is_possession(stated: Candidate | Memory) -> bool:
    """Whether a statement is of a thing of the person; animals and people have keys of their own."""
    return stated.type is MemoryType.FACT and attribute_of_self(stated) in _ATTRIBUTES
