"""Compares what two statements say the person has: "Owns a bakery" and "Has a bakery" say the same."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.memory import Candidate, Memory, MemoryType
from keepsake.domain.merging.memory_kinds import attribute_of_self
from keepsake.domain.text import normalize_apostrophes

_VERBS = load_words("possession_verbs", __package__)
_DETERMINERS = frozenset({"a", "an", "the", "their", "own"})
_ATTRIBUTES = frozenset({"has", "owns", "business"})
_PLACES = frozenset({"in", "on", "near", "at", "by"})


def says_same_possession(candidate: Candidate, known: Candidate | Memory) -> bool:
    """Whether both say that the person has the same; the known one may also say where it is."""
    if candidate.value != known.value or not (_is_possession(candidate) and _is_possession(known)):
        return False
    named, other = _object(candidate.text), _object(known.text)
    return bool(named) and (named == other or (other[: len(named)] == named and other[len(named)] in _PLACES))


def _is_possession(stated: Candidate | Memory) -> bool:
    """Whether a statement is of a thing of the person; animals and people have keys of their own."""
    return stated.type is MemoryType.FACT and attribute_of_self(stated) in _ATTRIBUTES


def _object(text: str) -> tuple[str, ...]:
    """The words after a verb of possession, without determiners before the noun; empty after another verb."""
    verb, *words = normalize_apostrophes(text).lower().rstrip(". ").split() or [""]
    while words and words[0] in _DETERMINERS:
        words = words[1:]
    return tuple(words) if verb in _VERBS else ()
