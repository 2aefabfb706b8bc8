"""Finds the memories about a subject: by number, entity, key, or all of its words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS, answer_slot
from keepsake.domain.english.kinship import is_family, kinship_of
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import normalize_apostrophes, slug, stem, word_set, words

_BEFORE_NUMBER = ("memory ", "number ", "no. ", "no ", "no.")
_IN_ENGLISH = load_pairs("german_subjects", __package__)
_DETERMINERS = word_set("all any of the my our a an his her their old whole entire")
_THINGS = word_set("thing things stuff bit part fact facts info everything anything zeug sache sachen das alles")
_ABOUT = word_set("about with regarding concerning mit über von zu")
"""The words of "the thing about my job" and "the Porto stuff", which name nothing."""
_CONTRACTIONS = word_set("m ve re ll d s t")
"""What follows the apostrophe of a contraction or a possessive."""
_WORK, _TO_WORK = ("employer", "occupation"), ("work", "works", "job", "career", "employed", "company")
_ATTRIBUTES = {
    "job": _WORK, "work": _WORK, "employer": ("employer",), "address": ("address", "home"), "home": ("home",),
    "name": ("name", "nickname"), "age": ("age",), "birthday": ("birthday",), "phone_number": ("phone",),
    "diet": ("diet",), "hometown": ("hometown",), "pronouns": ("pronouns",), "nickname": ("nickname",),
}  # fmt: skip
_WORDS_FOR = {"job": _TO_WORK, "work": _TO_WORK, "home": ("lives", "home", "moved"), "age": ("years", "turned")}
"""Words of memories about an attribute that do not name it."""
_KIND_TERMS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(
        ("preferences", "tastes", "likes", "likes and dislikes", "dislikes"), (f"subtype:{Subtype.PREFERENCE}",)
    ),
    **dict.fromkeys(("goals", "plans"), (f"type:{MemoryType.GOAL}",)),
    "habits": (f"type:{MemoryType.PATTERN}",),
    **dict.fromkeys(("feelings", "moods"), (f"type:{MemoryType.EMOTION}",)),
    "answer preferences": tuple(f"|{slot}" for slot in ANSWER_SLOTS),
}
"""What memories of each kind are found by, as the SQL function ``keepsake.past_terms`` makes it of them."""
_FAMILY = {"family", "familie"}
_SELF = {"person:self"}
_MAX_SIDE, _MAX_DIGITS = 30, 9
"""Characters of what names one side of a relative, and of a number."""
_NOT_NAMES = {"self", "person", "yes", "past"}
"""Parts that occur in any key."""


def search_words(subject: str) -> str:
    """The words of a subject to search for, without articles, possessives and contractions."""
    said = normalize_apostrophes(subject).strip(" .,;:!?\"'“”").split()
    while len(said) > 1 and _names_nothing(said[0].casefold(), said[1].casefold()):
        del said[0]
    if len(said) > 1 and said[-1].casefold() in _THINGS:
        del said[-1]
    return " ".join(map(_without_contraction, said))


def _names_nothing(word: str, following: str) -> bool:
    """Whether a word before another one names nothing: "the", or "thing" before "about"."""
    is_thing = word in _THINGS and following in _ABOUT
    return is_thing or word in _ABOUT or _IN_ENGLISH.get(word, word) in _DETERMINERS


def _without_contraction(word: str) -> str:
    base, _, ending = word.rpartition("'")
    return base if base and ending.casefold() in _CONTRACTIONS else word


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


def _refs(names: Collection[str], aliases: Collection[str]) -> set[str]:
    """The references that the entity of a subject can have."""
    return {f"{kind}:{name}" for kind in ("person", "place", "org", "project") for name in names} | set(aliases)


def memory_number(subject: str) -> int | None:
    """The number of the one memory that a subject names: 12 of "M-12"."""
    said = subject.strip(" .").lower()
    before = next(filter(said.startswith, _BEFORE_NUMBER), "")
    number = said.removeprefix(before).removeprefix("m").removeprefix("-")
    is_number = said.removeprefix(before).startswith("m") and number.isdecimal() and len(number) <= _MAX_DIGITS
    return int(number) if is_number else None


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
    if (number := memory_number(subject)) is not None:
        return [memory for memory, _ in known if memory.memory_no == number]
    if terms := _terms_of_kind(subject):
        return [memory for memory, _ in known if not _terms(memory).isdisjoint(terms)]
    if owned := _of_relative(subject):
        return _about_relative(owned, [memory for memory, _ in known])
    exact = [memory for memory, _ in known if memory.key is not None and memory.key in keys]
    if exact:
        return exact
    names, attributes = _slugs(subject), _attributes(subject)
    if "name" in attributes:  # the names of others and of animals are not one's own
        return [memory for memory, _ in known if parse_key(memory.key).attribute in attributes]
    refs = _refs(names, aliases) | _relative_refs(names, known)
    return [
        memory
        for memory, has_all_words in known
        if has_all_words
        or refs & set(memory.entity_refs)
        or names.intersection((memory.key or "").split("|")[2:])
        or (names & _FAMILY and is_family(parse_key(memory.key).subject))
        or parse_key(memory.key).attribute in attributes
    ]


def _terms_of_kind(subject: str) -> Sequence[str]:
    """The terms of the kind of memories that "all my preferences" names; none where the subject names no kind."""
    before, _, kind = subject.strip(" .").casefold().replace("all of my ", "all my ").partition("all my ")
    return () if before else _KIND_TERMS.get(kind, ())


def _terms(memory: Memory) -> set[str]:
    """What a memory is found by, where it is of a kind that a subject may name."""
    return {f"type:{memory.type}", f"subtype:{memory.subtype}", f"|{answer_slot(memory)}"}


class _OfRelative(NamedTuple):
    """One side of a relative: "my husband's job"."""

    relation: str
    what: str


def _of_relative(subject: str) -> _OfRelative | None:
    """The side of a relative that a subject names, if it names one."""
    owner, _, what = normalize_apostrophes(subject).strip(" .").casefold().partition("'s ")
    who = owner.removeprefix("my ").removeprefix("our ")
    is_named = len(who) > 2 and who.isalpha() and len(what) <= _MAX_SIDE and what.replace(" ", "").isalnum()
    return _OfRelative(kinship_of(who) or slug(who), what) if is_named else None


def _about_relative(owned: _OfRelative, known: Sequence[Memory]) -> list[Memory]:
    """The memories about one side of a relative: by the key, or by the words for it."""
    relation, what = owned
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
    kin, _, name = bare.partition(" ")
    is_named = kin.isalpha() and len(name) > 1 and name[0].isupper() and " " not in name
    return [bare, kin, name] if is_named else [bare]


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
    named = slug(search_words(subject))
    return _ATTRIBUTES.get(_IN_ENGLISH.get(named, named), ())
