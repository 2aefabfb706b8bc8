"""Finds the memories about a subject: by number, kind, entity, key, or all of its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS, answer_slot
from keepsake.domain.english.kinship import is_family, kinship_of
from keepsake.domain.english.load_word_lists import load_pairs, load_sections
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.memory import Memory, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import normalize_apostrophes, slug, stem, words


def _load_terms(name: str) -> dict[str, tuple[str, ...]]:
    pairs = load_pairs(name, __package__)
    return {word: tuple(terms.split()) for named, terms in pairs.items() for word in named.split("|")}


_ATTRIBUTES = _load_terms("attributes")
"""The attributes that a word means, and the words of memories about a relative's."""
_KINDS = _load_terms("kinds") | {"answer preferences": tuple(f"|{slot}" for slot in ANSWER_SLOTS)}
"""What memories of each kind are found by, as the SQL function ``keepsake.past_terms`` makes it of them."""
_SURROUNDING = load_sections("surrounding_words", __package__)
_ALL_OF_KIND = re.compile(r"all (?:of )?my (.+)")
_NUMBER = re.compile(r"(?:memory |number |no\.? ?)?m-?(\d{1,9})", re.IGNORECASE)
_CONTRACTION = re.compile(r"(?<=\S)'(?:m|ve|re|ll|d|s|t)(?!\S)", re.IGNORECASE)
"""The end of a contraction or a possessive."""
_OF_RELATIVE = re.compile(r"(?:my |our )?([^\W\d_]{3,})'s (\w[\w ]{0,29})")
"""One side of a relative: "my husband's job"."""
_FAMILY = {"family", "familie"}
_NOT_NAMES = {"self", "person", "yes", "past"}
"""Parts that occur in any key."""


def search_words(subject: str) -> str:
    """The words of a subject to search for, without articles, possessives and contractions."""
    said = normalize_apostrophes(subject).strip(" .,;:!?\"'“”").split()
    while len(said) > 1 and said[0].casefold() in (*_SURROUNDING["before"], *_SURROUNDING["things"]):
        del said[0]
    if len(said) > 1 and said[-1].casefold() in _SURROUNDING["things"]:
        del said[-1]
    return _CONTRACTION.sub("", " ".join(said))


class PastSearch(NamedTuple):
    """What past memories are searched by: it finds at least all that a subject can match.

    There may be any number of past memories, so that an index finds them, by ``terms`` as the SQL function
    ``keepsake.past_terms`` makes them. Where a key has one of the ``parts``, other memories about the same entity are
    found too.
    """

    words: str = ""
    number: int | None = None
    terms: Sequence[str] = ()
    parts: Sequence[str] = ()


EVERYTHING = PastSearch(terms=tuple(f"type:{kind}" for kind in MemoryType))


def search_past(subject: str, *, keys: Collection[str | None] = (), aliases: Collection[str] = ()) -> PastSearch:
    """The search for past memories about a subject; the arguments are those of ``memories_about``."""
    if (number := memory_number(subject)) is not None:
        return PastSearch(number=number)
    if terms := _terms_of_kind(subject):
        return PastSearch(terms=terms)
    if owned := _of_relative(subject):
        return PastSearch(terms=(f"|{owned.relation}",), parts=(owned.relation,))
    names = _slugs(subject)
    parts = {f"|{part}" for part in (*names, *_attributes(subject))}
    about_others = {"about:others"} if names & _FAMILY else set()
    found = parts | _refs(names, aliases) | about_others | {key for key in keys if key}
    return PastSearch(search_words(subject), terms=sorted(found), parts=sorted(names))


def memory_number(subject: str) -> int | None:
    """The number of the one memory that a subject names: 12 of "M-12"."""
    named = _NUMBER.fullmatch(subject.strip(" ."))
    return int(named[1]) if named else None


def memories_about(
    subject: str,
    known: Sequence[tuple[Memory, bool]],
    *,
    keys: Collection[str | None] = (),
    aliases: Collection[str] = (),
) -> list[Memory]:
    """The memories about a subject; ``known`` has for each whether all words of the subject occur in it.

    ``keys`` are those that the rules give a statement ("I like pizza"), ``aliases`` the keys of entities so named.
    """
    memories = [memory for memory, _ in known]
    if (number := memory_number(subject)) is not None:
        return [memory for memory in memories if memory.memory_no == number]
    if terms := _terms_of_kind(subject):
        return [memory for memory in memories if not _terms(memory).isdisjoint(terms)]
    if owned := _of_relative(subject):
        return _about_relative(owned, memories)
    if exact := [memory for memory in memories if memory.key is not None and memory.key in keys]:
        return exact
    names, attributes = _slugs(subject), _attributes(subject)
    if "name" in attributes:  # the names of others and of animals are not one's own
        return [memory for memory in memories if parse_key(memory.key).attribute in attributes]
    refs = _refs(names, aliases) | _only_relative(names, memories)
    return [
        memory
        for memory, has_all_words in known
        if has_all_words
        or refs & set(memory.entity_refs)
        or names.intersection((memory.key or "").split("|")[2:])
        or (names & _FAMILY and is_family(parse_key(memory.key).subject))
        or parse_key(memory.key).attribute in attributes
    ]


def names_in(subject: str) -> list[str]:
    """The names in a subject: those of "my sister Mia" are ``sister Mia``, ``sister`` and ``Mia``."""
    bare = search_words(subject)
    kin, _, name = bare.partition(" ")
    is_named = kin.isalpha() and len(name) > 1 and name[0].isupper() and " " not in name
    return [bare, kin, name] if is_named else [bare]


def _terms_of_kind(subject: str) -> Sequence[str]:
    """The terms of the kind of memories that "all my preferences" names; none where the subject names no kind."""
    named = _ALL_OF_KIND.fullmatch(subject.strip(" .").casefold())
    return _KINDS.get(named[1], ()) if named else ()


def _terms(memory: Memory) -> set[str]:
    """What a memory is found by, where it is of a kind that a subject may name."""
    return {f"type:{memory.type}", f"subtype:{memory.subtype}", f"|{answer_slot(memory)}"}


class _OfRelative(NamedTuple):
    """One side of a relative, and the stems of the words for it."""

    relation: str
    stems: set[str]


def _of_relative(subject: str) -> _OfRelative | None:
    """The side of a relative that a subject names, if it names one."""
    named = _OF_RELATIVE.fullmatch(normalize_apostrophes(subject).strip(" .").casefold())
    if named is None:
        return None
    who, what = named.groups()
    return _OfRelative(kinship_of(who) or slug(who), {*map(stem, (*words(what), *_ATTRIBUTES.get(slug(what), ())))})


def _about_relative(owned: _OfRelative, memories: Sequence[Memory]) -> list[Memory]:
    """The memories about one side of a relative, by the words of their texts and keys."""
    own = [memory for memory in memories if owned.relation in (memory.key or "").split("|")[2:4]]
    people = {ref for memory in own for ref in memory.entity_refs if ref.startswith("person:")} - {"person:self"}
    return [
        memory
        for memory in memories
        if (memory in own or people.intersection(memory.entity_refs))
        and not owned.stems.isdisjoint(map(stem, words(f"{memory.text} {memory.key or ''}")))
    ]


def _refs(names: Collection[str], aliases: Collection[str]) -> set[str]:
    """The references that the entity of a subject can have."""
    return {f"{kind}:{name}" for kind in ("person", "place", "org", "project") for name in names} | set(aliases)


def _only_relative(names: set[str], memories: Sequence[Memory]) -> set[str]:
    """The reference of the only known relative of a relation: "my sister" is Mia."""
    found = {ref for memory in memories if parse_key(memory.key).relation in names for ref in memory.entity_refs}
    people = {ref for ref in found if ref.startswith("person:")} - {f"person:{name}" for name in names}
    return people if len(people) == 1 else set()


def _slugs(subject: str) -> set[str]:
    """The slugs that the subject can have in a key: those of "my sister Mia" are ``sister`` and ``mia``."""
    bare, *named = names_in(subject)
    parts = named or [bare]
    found = {slug(part) for part in parts} | {slug(" ".join(map(stem, words(part)))) for part in parts}
    found |= {relation for name in found if (relation := kinship_of(name))} | {phrase_slug(part) for part in parts}
    return {name for name in found if len(name) > 1} - _NOT_NAMES


def _attributes(subject: str) -> Sequence[str]:
    return _ATTRIBUTES.get(slug(search_words(subject)), ())
