"""Merge scope: the memories that candidates and changes can affect, so that only these are read.

Of a thousand memories merging changes two or three. Whatever merging learns to change must be named here too: a
property test merges with this scope and with all memories, and fails where the decisions differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.memory import Candidate, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.fulfilled_plans import named_thing
from keepsake.domain.merging.parts_of_life import attributes_of_parts, kinds_of_parts
from keepsake.domain.reading.statements import key_of

_SELF = "|person|self|"
_AFFECTED_ATTRIBUTES = {
    "likes": ("favorite_",),
    "habit": ("avoids|", "habit|"),
    "avoids": ("habit|", "avoids|"),
    "has": ("pet|", "pet_fact|"),
    "pet": ("pet|", "pet_fact|", "has|"),
    "lost": ("pet|", "pet_fact|", "has|"),
    "living": ("living|",),
    "work_change": ("employer", "occupation"),
    "graduated": ("student",),
    "relationship_status": ("relationship_status", "partner", "has|"),
}
"""The other attributes whose memories a statement about an attribute may end."""
_RELATIVE_PREFIX = "relationship|person|"


@dataclass(frozen=True, slots=True)
class MergeScope:
    """Which memories are compared: those whose key begins with a prefix, and those whose words are like a text."""

    prefixes: tuple[str, ...]
    """Beginnings of keys."""

    texts: tuple[str, ...]
    """A memory is like a text if half the words of the shorter one occur in the other."""

    languages: tuple[str, ...]
    """The language of each text."""


def merge_scope(candidates: Sequence[Candidate]) -> MergeScope:
    """The memories that ``merge`` may change or compare for these candidates; a larger scope does no harm."""
    prefixes = {prefix for candidate in candidates for prefix in _prefixes(candidate)}
    texts = [(candidate.text, candidate.language) for candidate in candidates if candidate.text]
    texts += [(thing, candidate.language) for candidate in candidates if (thing := named_thing(candidate.text))]
    return MergeScope(
        tuple(sorted(prefixes)), tuple(text for text, _ in texts), tuple(language for _, language in texts)
    )


def _key_and_value(candidate: Candidate) -> tuple[str, str | None] | None:
    return key_of(candidate.text) if candidate.key is None else (candidate.key, candidate.value)


def _prefixes(candidate: Candidate) -> Iterable[str]:
    known = _key_and_value(candidate)
    if known is None:
        return
    key, value = known
    parts = parse_key(key)
    attribute = parts.attribute
    if not attribute:
        yield key
        if relation := parts.relation:  # other relatives of the same relation decide whom it is about
            yield f"{_RELATIVE_PREFIX}{relation}|" if is_relation(relation) else _RELATIVE_PREFIX
        return
    affected = (*_AFFECTED_ATTRIBUTES.get(attribute, ()), *_liking_prefixes(attribute, value))
    yield from _of_every_type("|".join(parts.rest), *affected)
    if attribute in ("relationship_status", "lost"):
        yield _RELATIVE_PREFIX


def _liking_prefixes(attribute: str, value: str | None) -> tuple[str, ...]:
    """The keys of habits that a dislike may end, and of likings that a favorite repeats."""
    if attribute == "likes":
        return ("habit|",) if value == "dislike" else ()
    kind, what = attribute.removeprefix("favorite_"), phrase_slug(value or "")
    if kind == attribute or not what:
        return ()
    return f"likes|{what}", f"likes|{kind}_{what}", f"likes|{what}_{phrase_slug(kind)}"


def prefixes_of_changes(parts: Iterable[str]) -> tuple[str, ...]:
    """The beginnings of the keys that changes of these parts of a life may change.

    Memories that share a word with the message are read beside them.
    """
    kinds = kinds_of_parts(parts)
    prefixes = _of_every_type(*attributes_of_parts(parts))
    if kinds & {"relative", "partner"}:
        prefixes |= {_RELATIVE_PREFIX, "fact|person|self|partner"}
    if "diet" in kinds:
        prefixes |= _of_every_type("diet", "avoids", "habit|do_", "drinks", "is|")
    if "home" in kinds:
        prefixes |= _of_every_type("home", "living", "is|in_", "is|", "habit|rent", "habit|share", "habit|live")
    if kinds & {"study", "occupation", "employment"}:
        prefixes |= {*_of_every_type("is|"), "fact|person|self|student"}
    if kinds & {"occupation", "employment"}:
        prefixes |= {f"fact|person|self|{attribute}" for attribute in ("occupation", "employer", "work")}
    return tuple(sorted(prefixes))


def prefixes_of_births() -> tuple[str, ...]:
    """The beginnings of the keys that a birth may change: of those who await a child, and of how many there are."""
    own = _of_every_type("expecting", "when|baby", "has|")
    return tuple(sorted({*own, _RELATIVE_PREFIX, "fact|person|self|partner"}))


def _of_every_type(*attributes: str) -> set[str]:
    return {f"{kind}{_SELF}{attribute}" for kind in MemoryType for attribute in attributes}
