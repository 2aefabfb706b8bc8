"""Compares two statements that say the same, or of which one says more: "Owns a bakery in Graz", "Has a bakery"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.similarity import difference
from keepsake.domain.memory import Candidate, Memory, MemoryType, Subtype
from keepsake.domain.merging.memory_kinds import attribute_of_self
from keepsake.domain.text import normalize_apostrophes

_WORDS_OF_DETAIL = load_words("words_of_detail", __package__)
_ATTRIBUTES = frozenset({"has", "owns", "business", "pet", "habit", "goal"})
"""What a person may have several of, where the key has the words of the statement."""
_POSSESSIONS = frozenset({"has", "owns", "business"})
_HAS = "has"
_POSSESSION_VERBS = load_words("possession_verbs", __package__)
_DETERMINERS = frozenset({"a", "an", "the", "their", "own"})
_MORE_THAN_DETAIL = re.compile(r"[,;:]|\b(?:and|or|but|nor|not|no|never|without|except|instead)\b|n't\b", re.IGNORECASE)
_OTHER_STATEMENT = frozenset({"numbers", "negation", "kinship"})


def says_more(longer: Candidate | Memory, shorter: Candidate | Memory) -> bool:
    """Whether the longer one says the same as the shorter one, and adds where, with whom, since when, or a name.

    What is liked "with milk" is not liked without, so that tastes are never compared.
    """
    if longer.type is not shorter.type or Subtype.PREFERENCE in {longer.subtype, shorter.subtype}:
        return False
    if _names_relative(longer, shorter):
        return True
    if not adds_detail(longer.text, shorter.text):
        return False
    if longer.key is not None and (longer.key, longer.value) == (shorter.key, shorter.value):
        return True
    is_comparable = {attribute_of_self(longer), attribute_of_self(shorter)} <= _ATTRIBUTES
    return is_comparable and difference(longer.text, shorter.text) not in _OTHER_STATEMENT


def _names_relative(longer: Candidate | Memory, shorter: Candidate | Memory) -> bool:
    """Whether one names the relative that the other mentions without a name: "Sister is named Anna", "Has a sister"."""
    relation, name = re.fullmatch(r"relationship\|person\|self\|has\|(\w+)", shorter.key or ""), longer.key or ""
    if relation is None or shorter.value != "1" or not name.endswith("|name"):
        return False
    is_bare = _words_of(shorter.text) == ("has", relation[1])
    return is_bare and name.startswith(f"relationship|person|{relation[1]}|")


def adds_detail(longer: str, shorter: str) -> bool:
    """Whether a text goes on where the other ends, with a detail and nothing else."""
    more, less = _words_of(longer), _words_of(shorter)
    rest = more[len(less) :]
    is_longer = bool(less and rest) and more[: len(less)] == less and rest[0] in _WORDS_OF_DETAIL
    return is_longer and not _MORE_THAN_DETAIL.search(longer) and not _MORE_THAN_DETAIL.search(shorter)


def says_same_possession(candidate: Candidate, known: Candidate | Memory) -> bool:
    """Whether both say that the person has the same."""
    if candidate.value != known.value or not (_is_possession(candidate) and _is_possession(known)):
        return False
    words = _words_of(candidate.text)
    return words[:1] == (_HAS,) and words == _words_of(known.text)


def _words_of(text: str) -> tuple[str, ...]:
    """The words of a statement, with one verb of possession and no determiner after it: "has bakery"."""
    verb, *words = normalize_apostrophes(text).lower().rstrip(". ").split() or [""]
    if verb not in _POSSESSION_VERBS:
        return (verb, *words)
    while words and words[0] in _DETERMINERS:
        words = words[1:]
    return (_HAS, *words)


def _is_possession(stated: Candidate | Memory) -> bool:
    """Whether a statement is of a thing of the person; animals and people have keys of their own."""
    return stated.type is MemoryType.FACT and attribute_of_self(stated) in _POSSESSIONS
