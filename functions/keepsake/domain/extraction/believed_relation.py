"""What a statement of a capable model does to the memories that it was shown, where both are about the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from keepsake.domain.evidence.clauses_around import Passage, same_thing
from keepsake.domain.evidence.grounds import Said
from keepsake.domain.evidence.shared_words import shares_word
from keepsake.domain.extraction.attributes import MULTI_VALUED, canonical_attribute, has_one_value
from keepsake.domain.memory import Memory, Relation
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.statements import key_of

_TAKE_PLACE = frozenset({Relation.REPLACES, Relation.ENDS, Relation.CORRECTS})

_END = frozenset({Relation.ENDS, Relation.DOUBTS})


def numbered(numbers: Sequence[int], known: Sequence[Memory]) -> list[Memory]:
    """The memories with these numbers; a number that was not shown is none."""
    return [known[number - 1] for number in dict.fromkeys(numbers) if 0 < number <= len(known)]


def believed_relation(
    relation: str, memories: Sequence[Memory], passage: Passage, *, text: str, attribute: str
) -> tuple[Relation, tuple[Memory, ...]]:
    """The relation, and those of the memories that are about the same as the statement.

    Without any the statement is new. What is said of another one of a kind ("my other sister"), or added to what has
    several values ("I also speak German"), takes no place.
    """
    try:
        kind = Relation(relation)
    except ValueError:
        kind = Relation.NEW
    related = tuple(memory for memory in memories if _is_about_same(memory, passage, text, attribute))
    if kind is Relation.REPLACES and not _names_end(passage):
        related = tuple(memory for memory in related if not memory.is_confirmed)  # nothing in passing overrides it
    if kind is Relation.NEW or not related:
        return Relation.NEW, ()
    if (kind in _TAKE_PLACE and _is_added(passage, kind, attribute)) or (kind in _END and not _names_end(passage)):
        return Relation.NEW, ()
    return kind, related


def is_about_another(passage: Passage, about: str) -> bool:
    """Whether the quoted clause says that this is another one of a kind ("my other sister")."""
    if passage.span is None:
        return False
    return any(
        "other" in passage.kinds(before) and same_thing(passage.tokens[index], [about])
        for clause in passage.clauses(*passage.span)
        for before, index in pairwise(clause)
    )


def _is_about_same(memory: Memory, passage: Passage, text: str, attribute: str) -> bool:
    """Whether they share a word or a name, or are values of one attribute."""
    parts = (memory.text, (memory.value or "").replace("_", " "), memory.entity_label or "")
    if any(shares_word(text, Said(part)) or shares_word(passage.quote, Said(part)) for part in parts if part):
        return True
    key = memory.key or (key_of(memory.text) or ("",))[0]
    return bool(attribute) and parse_key(key).attribute == canonical_attribute(attribute)


def _is_added(passage: Passage, kind: Relation, attribute: str) -> bool:
    """Whether the quoted clause adds something to what is known instead of taking its place."""
    kinds = _quoted_kinds(passage)
    if "other" in kinds:
        return True
    if has_one_value(attribute) or kind is Relation.CORRECTS:
        return False
    adds_value = kind is Relation.REPLACES and canonical_attribute(attribute) in MULTI_VALUED
    return "also" in kinds or (adds_value and passage.is_known and "changed" not in kinds)


def _names_end(passage: Passage) -> bool:
    """Whether the quoted clause has a word of change or denial; True where there are no lists of its language."""
    return not passage.is_known or bool(_quoted_kinds(passage) & {"changed", "not", "reverse"})


def _quoted_kinds(passage: Passage) -> set[str]:
    if passage.span is None:
        return set()
    return {kind for clause in passage.clauses(*passage.span) for index in clause for kind in passage.kinds(index)}
