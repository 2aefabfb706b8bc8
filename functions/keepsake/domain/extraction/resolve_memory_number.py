"""Finds the memory that a model's statement says it repeats, replaces, ends or casts doubt on, by its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from keepsake.domain.extraction.evidence import shares_subject_matter
from keepsake.domain.memory import Memory, Relation
from keepsake.domain.memory_key import parse_key
from keepsake.domain.reading.statements import key_of

RelationError = Literal["unknown_relation", "unknown_number", "unrelated_number"]

_NEEDS_NUMBER = frozenset({Relation.REPEATS, Relation.DOUBTS})


def find_related(
    relation: str, number: int | None, known: Sequence[Memory], quote: str
) -> tuple[Relation, Memory | None] | RelationError:
    """The relation and its memory, or why it is rejected; ``known`` are the memories that were shown, in their order.

    A memory has to have something in common with the quote. What replaces or ends something may be without a number:
    then it is none of the memories that were shown.
    """
    try:
        kind = Relation(relation)
    except ValueError:
        return "unknown_relation"
    if kind is Relation.NEW:
        return kind, None
    if number is None:
        return "unknown_number" if kind in _NEEDS_NUMBER else (kind, None)
    if not 0 < number <= len(known):
        return "unknown_number"
    memory = known[number - 1]
    return (kind, memory) if _has_something_in_common(memory, quote) else "unrelated_number"


def _has_something_in_common(memory: Memory, quote: str) -> bool:
    parts = (memory.text, (memory.value or "").replace("_", " "), memory.entity_label or "")
    return shares_subject_matter(quote, parts)


def has_same_subject(memory: Memory, key: str | None) -> bool:
    """Whether a memory is about the same person or thing as a statement with this key, as far as keys tell."""
    known = memory.key or (key_of(memory.text) or (None,))[0]
    if key is None or known is None:
        return True
    stored, stated = parse_key(known), parse_key(key)
    return not stored.is_fold and stored[1:3] == stated[1:3]  # a fold is never changed by a statement
