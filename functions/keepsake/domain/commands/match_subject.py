"""Finds the memories about a subject: by number, entity, key, or all of its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS, answer_slot
from keepsake.domain.english.kinship import RELATIONS, kinship_of
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import slug, stem, words

_REF = re.compile(r"(?:memory |number |no\.? ?)?m-?(?P<number>\d{1,9})", re.IGNORECASE)
_DETERMINERS = re.compile(r"^(?:(?:all|any|of|the|my|our|a|an|his|her|their|old|whole|entire)\s+)+", re.IGNORECASE)
_CONTRACTIONS = re.compile(r"['’](?:m|ve|re|ll|d|s|t)\b", re.IGNORECASE)
_ATTRIBUTES = {
    "job": ("employer", "occupation"), "work": ("employer", "occupation"), "employer": ("employer",),
    "address": ("address", "home"), "home": ("home",), "name": ("name", "nickname"), "age": ("age",),
    "birthday": ("birthday",), "phone_number": ("phone",), "diet": ("diet",), "hometown": ("hometown",),
    "pronouns": ("pronouns",), "nickname": ("nickname",),
}  # fmt: skip
_OF_RELATIVE = re.compile(r"(?:my |our )?(?P<who>[a-z]{3,14})['\u2019]s (?P<what>[\w ]{2,30})", re.IGNORECASE)
_WORDS_FOR = {
    "job": ("work", "works", "job", "career", "employed", "company"),
    "work": ("work", "works", "job", "career", "employed", "company"),
    "home": ("lives", "home", "moved"),
    "age": ("years", "turned"),
}
"""Words of memories about an attribute that do not name it."""
_ALL_OF_A_KIND = re.compile(
    r"all (?:of )?my (?P<kind>preferences|tastes|likes(?: and dislikes)?|dislikes|goals|plans|habits|feelings|moods|"
    r"answer preferences)",
    re.IGNORECASE,
)
_KIND_TERMS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("preferences", "tastes", "likes", "dislikes"), (f"subtype:{Subtype.PREFERENCE}",)),
    **dict.fromkeys(("goals", "plans"), (f"type:{MemoryType.GOAL}",)),
    "habits": (f"type:{MemoryType.PATTERN}",),
    **dict.fromkeys(("feelings", "moods"), (f"type:{MemoryType.EMOTION}",)),
    "answer": tuple(f"|{slot}" for slot in ANSWER_SLOTS),
}
"""What memories of each kind are found by, as the SQL function ``keepsake.past_terms`` makes it of them."""
_FAMILY = {"family", "familie"}
_OF_FAMILY = re.compile(rf"(?!ex\b)(?:{RELATIONS})", re.IGNORECASE)
_SELF = {"person:self"}
_NOT_NAMES = {"self", "person", "yes", "past"}
"""Parts that occur in any key."""
_RELATIVE = re.compile(r"^(?P<kin>\w+) (?P<name>[A-Z][\w'-]+)$")


def search_words(subject: str) -> str:
    """The words of a subject to search for, without articles, possessives and contractions."""
    return _CONTRACTIONS.sub("", _DETERMINERS.sub("", subject.strip(" .,;:!?\"'“”"))).strip()


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
    if ref := _reference(subject):
        return PastSearch(number=int(ref["number"]))
    if terms := _terms_of_kind(subject):
        return PastSearch(terms=terms)
    if owned := _OF_RELATIVE.fullmatch(subject.strip(" .")):
        relation = kinship_of(owned["who"]) or slug(owned["who"])
        return PastSearch(terms=(f"|{relation}",), parts=(relation,))
    names = _slugs(subject)
    parts = {f"|{part}" for part in (*names, *_attributes(subject))}
    about_others = {"about:others"} if names & _FAMILY else set()
    found = parts | _refs(names, aliases) | about_others | {key for key in keys if key}
    return PastSearch(search_words(subject), terms=sorted(found), parts=sorted(names))


def _refs(names: Collection[str], aliases: Collection[str]) -> set[str]:
    """The references that the entity of a subject can have."""
    return {f"{kind}:{name}" for kind in ("person", "place", "org", "project") for name in names} | set(aliases)


def is_reference(subject: str) -> bool:
    """Whether the subject is the number of one memory: "M-12"."""
    return _reference(subject) is not None


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
    if ref := _reference(subject):
        return [memory for memory, _ in known if memory.memory_no == int(ref["number"])]
    if terms := _terms_of_kind(subject):
        return [memory for memory, _ in known if not _terms(memory).isdisjoint(terms)]
    if owned := _OF_RELATIVE.fullmatch(subject.strip(" .")):
        return _about_relative(owned["who"], owned["what"], [memory for memory, _ in known])
    exact = [memory for memory, _ in known if memory.key is not None and memory.key in keys]
    if exact:
        return exact
    names, attributes = _slugs(subject), _attributes(subject)
    if "name" in attributes:  # the names of others and of animals are not one's own
        return [memory for memory, _ in known if _has_attribute(memory, attributes)]
    refs = _refs(names, aliases) | _relative_refs(names, known)
    return [
        memory
        for memory, has_all_words in known
        if has_all_words
        or refs & set(memory.entity_refs)
        or _is_in_key(memory, names)
        or (names & _FAMILY and _is_of_family(memory))
        or _has_attribute(memory, attributes)
    ]


def _reference(subject: str) -> re.Match[str] | None:
    return _REF.fullmatch(subject.strip(" ."))


def _terms_of_kind(subject: str) -> Sequence[str]:
    """The terms of the kind of memories that "all my preferences" names; none where the subject names no kind."""
    match = _ALL_OF_A_KIND.fullmatch(subject.strip(" ."))
    return () if match is None else _KIND_TERMS[match["kind"].casefold().split()[0]]


def _terms(memory: Memory) -> set[str]:
    """What a memory is found by, where it is of a kind that a subject may name."""
    return {f"type:{memory.type}", f"subtype:{memory.subtype}", f"|{answer_slot(memory)}"}


def _about_relative(who: str, what: str, known: Sequence[Memory]) -> list[Memory]:
    """The memories about one side of a relative ("my husband's job"): by the key, or by the words for it."""
    relation = kinship_of(who) or slug(who)
    attributes = _ATTRIBUTES.get(slug(what), ())
    stems = {stem(word) for word in (*words(what), *_WORDS_FOR.get(slug(what), ()))}
    own = [memory for memory in known if relation in (memory.key or "").split("|")[2:4]]
    refs = {ref for memory in own for ref in memory.entity_refs if ref.startswith("person:")} - _SELF
    return [
        memory
        for memory in known
        if (memory in own or refs & set(memory.entity_refs))
        and (
            parse_key(memory.key).last in attributes
            or stems & {stem(word) for word in words(f"{memory.text} {(memory.key or '').replace('_', ' ')}")}
        )
    ]


def names_in(subject: str) -> list[str]:
    """The names in a subject: those of "my sister Mia" are ``sister Mia``, ``sister`` and ``Mia``."""
    bare = search_words(subject)
    named = _RELATIVE.match(bare)
    return [bare, named["kin"], named["name"]] if named else [bare]


def _relative_refs(names: set[str], known: Sequence[tuple[Memory, bool]]) -> set[str]:
    """The reference of the only known relative of a relation: "my sister" is Mia."""
    found = {ref for memory, _ in known if parse_key(memory.key).relation in names for ref in memory.entity_refs}
    people = {ref for ref in found if ref.startswith("person:")} - {f"person:{name}" for name in names}
    return people if len(people) == 1 else set()


def _slugs(subject: str) -> set[str]:
    """The slugs that the subject can have in a key: those of "my sister Mia" are ``sister`` and ``mia``."""
    bare, *named = names_in(subject)
    parts = named or [bare]
    found = {slug(part) for part in parts} | {slug(" ".join(map(stem, words(part)))) for part in parts}
    found |= {relation for name in found if (relation := kinship_of(name))} | {phrase_slug(part) for part in parts}
    return {name for name in found if len(name) > 1} - _NOT_NAMES


def _attributes(subject: str) -> tuple[str, ...]:
    return _ATTRIBUTES.get(slug(search_words(subject)), ())


def _is_in_key(memory: Memory, names: set[str]) -> bool:
    """Whether one of the slugs is part of the memory's key."""
    return memory.key is not None and any(part in names for part in memory.key.split("|")[2:])


def _is_of_family(memory: Memory) -> bool:
    """Whether the memory is about somebody of the family, by the relation in its key."""
    return _OF_FAMILY.fullmatch(parse_key(memory.key).subject.replace("_", " ")) is not None


def _has_attribute(memory: Memory, attributes: tuple[str, ...]) -> bool:
    return parse_key(memory.key).attribute in attributes
