"""Kinship terms: one table of the words for relations, for the rules, the model path, search and merging."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.inflection import is_plural, singular
from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.text import slug, word_set


@dataclass(frozen=True, slots=True)
class _KinshipTerm:
    """A row of the table: a relation as keys name it, and the words people have for it."""

    group: str
    is_single: bool
    relation: str
    synonyms: tuple[str, ...]
    unambiguous: tuple[str, ...]
    """The words that mean nothing else."""


def _read(line: str) -> _KinshipTerm:
    group, number, relation, *words = line.split()
    unambiguous = tuple(word for word in words if not word.endswith("?"))
    return _KinshipTerm(group, number == "one", relation, tuple(word.rstrip("?") for word in words), unambiguous)


_TABLE = tuple(map(_read, load_lines("kinship")))
RELATION_OF = {slug(word): term.relation for term in _TABLE for word in (term.relation, *term.synonyms)}
"""The relation that each word names, as a slug."""
_UNAMBIGUOUS = {word: term.relation for term in _TABLE for word in term.unambiguous}
_RELATIONS = frozenset(RELATION_OF.values())
_FAMILY_RELATIONS = frozenset(term.relation for term in _TABLE if term.group == "family")
_PREFIXES = ("step", "grand", "god")
SINGLE_RELATIONS = frozenset(term.relation for term in _TABLE if term.is_single) | {
    "ex_wife", "ex_husband", "mother_in_law", "father_in_law",
}  # fmt: skip
"""Relations that a person has one of: the name is no part of such a key."""


def canonical_relation(words: str) -> str:
    """A relation as keys name it, in one word for all that mean the same ("Mum", "mama": "mother")."""
    return _canonical(slug(words))


@lru_cache(4096)
def _canonical(named: str) -> str:
    prefix = next(filter(named.startswith, _PREFIXES), "")
    if prefix and (relation := _one_word(named.removeprefix(prefix).removeprefix("_"))) in _RELATIONS:
        return f"{prefix}{relation}"
    return RELATION_OF.get(named) or "_".join(map(_one_word, named.split("_")))


def common_noun(word: str) -> str:
    """The usual word where a singular noun is a colloquial one for a relation ("kid": "child")."""
    return _UNAMBIGUOUS.get(word, word)


@lru_cache(16_384)
def kinship_of(word: str) -> str | None:
    """The relation that a single word names ("mum": "mother"), or None; a plural is another than its singular."""
    relation = canonical_relation(word)
    base = relation.removeprefix(next(filter(relation.startswith, _PREFIXES), ""))
    if not {relation, base} & _RELATIONS:
        return None
    return f"{relation}s" if is_plural(slug(word)) else relation


def is_family(relation: str) -> bool:
    """Whether a relation, as keys name it, is one of the family or of a couple ("mother_in_law"), no former one."""
    base = relation.removesuffix("_in_law")
    for prefix in ("great_", "half_", "foster_", "step", "god"):
        base = base.removeprefix(prefix)
    return base in _FAMILY_RELATIONS and base != "ex"


def _one_word(word: str) -> str:
    return RELATION_OF.get(word) or RELATION_OF.get(singular(word), singular(word))


def words_for(relations: Iterable[str]) -> list[str]:
    """The words for some relations that mean nothing else, the relations' own among them."""
    wanted = frozenset(relations)
    return [word for term in _TABLE if term.relation in wanted for word in (term.relation, *term.unambiguous)]


def _alternatives(group: str) -> str:
    """A pattern of the words of a group, longest first."""
    found = {
        word for term in _TABLE if term.group == group for word in (term.relation.replace("_", " "), *term.synonyms)
    }
    return "|".join(sorted(map(re.escape, found), key=lambda word: (-len(word), word)))


_FAMILY = rf"(?:(?!twins? (?:brother|sister|sibling)){_alternatives('family')})s?(?:[- ]in[- ]law)?"
_CHILDREN = r"(?:twin |little |baby |two )?(?:boys|girls)(?= and |$|,| who| aged)"
_FORMER_PARTNERS = r"ex[- ](?:wife|husband|girlfriend|boyfriend|partner)"
RELATIONS = rf"(?:step|half|great[- ]?grand|grand|foster|god)?-?{_FAMILY}|{_CHILDREN}|{_FORMER_PARTNERS}|in-laws"
"""A pattern of the words for family, partners and former ones, also in the plural."""
FRIENDS = rf"(?:best |oldest |closest |good |childhood )?friends?|(?:{_alternatives('friend')})s?"
OTHERS = rf"(?:{_alternatives('other')})s?|business partner"
PARTNERS = word_set("wife husband spouse partner girlfriend boyfriend fiance")
"""The relations to a partner, as keys name them."""
