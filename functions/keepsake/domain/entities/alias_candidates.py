"""Finds alias candidates: two names that may be the same entity, which the person is asked about.

Two names are candidates where they sound alike ("Makesh", "Mukesh"), are spelled nearly alike ("Siemens", "Simens"), or
one is the beginning of the other ("John", "John Doe"). Names that differ only in their last vowel are none: "Anna" and
"Anne", "Paul" and "Paula" are different people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from metaphone import doublemetaphone
from rapidfuzz.distance import Levenshtein

from keepsake.domain.entities.entity import SELF, Entity, entity_slug
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.text import word_set

MIN_SIMILARITY = 0.84
"""The least similarity of spelling for names that do not sound the same."""

_BEGINNINGS = (("ph", "f"), ("c", "k"), ("q", "k"), ("z", "s"), ("w", "v"), ("y", "i"))
_VOWELS = "aeiouäöüáéíóúàèìòùâêîôû"
_LEGAL_FORMS = word_set("corp corporation inc incorporated ltd limited llc gmbh ag co company plc sa se")
_MIN_LENGTH = 5
_MAX_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class AliasCandidate:
    """Two entities that may be the same: ``key`` is the known one, ``variant`` the new one."""

    key: str
    variant: str
    similarity: float


def find_alias_candidates(new: str, entities: Sequence[Entity]) -> list[AliasCandidate]:
    """The known entities that a new key may be an alias of, most similar first."""
    kind, _, name = new.partition(":")
    if new == SELF or is_relation(name):
        return []
    found = []
    for entity in entities[:_MAX_COMPARED]:
        same_kind, _, own = entity.key.partition(":")
        if same_kind != kind or entity.key in (new, SELF) or is_relation(own):
            continue
        slugs = {own, *map(entity_slug, (entity.label, *entity.aliases))} - {""}
        similarity = max(name_similarity(name, slug, is_person=kind == "person") for slug in slugs)
        if similarity:
            found.append(AliasCandidate(entity.key, new, round(similarity, 3)))
    return sorted(found, key=lambda one: (-one.similarity, one.key))


def name_similarity(one: str, other: str, *, is_person: bool = True) -> float:
    """The similarity of two names, as slugs; 0 where they are no alias candidates."""
    left, right = _name_words(one), _name_words(other)
    if left == right:
        return 1.0
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < len(longer):
        return 0.9 if longer[: len(shorter)] == shorter and len("".join(shorter)) > 2 else 0.0
    different = [(position, *pair) for position, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]
    if len(different) != 1:
        return 0.0
    position, word, other_word = different[0]
    return _word_similarity(word, other_word, is_first_name=is_person and position == 0)


def _name_words(name: str) -> list[str]:
    words = name.split("_")
    kept = [word for word in words if word not in _LEGAL_FORMS]
    return kept or words


def _word_similarity(one: str, other: str, *, is_first_name: bool) -> float:
    """The similarity of two words; a first name must sound the same: one letter makes another (Marina, Martina)."""
    if any(character.isdigit() for character in one + other) or _stem(one) == _stem(other):
        return 0.0
    if _beginning(one) != _beginning(other):
        return 0.0
    similarity = Levenshtein.normalized_similarity(one, other)
    sounds_alike = bool(_sounds(one) & _sounds(other))
    if sounds_alike and _vowels(one) == _vowels(other):
        return max(similarity, 0.95)
    if min(len(one), len(other)) < _MIN_LENGTH or one[0] != other[0] or _last_vowel(one) != _last_vowel(other):
        return 0.0
    if sounds_alike:
        return max(similarity, 0.85)
    long_enough = min(len(one), len(other)) > _MIN_LENGTH
    return similarity if long_enough and not is_first_name and similarity >= MIN_SIMILARITY else 0.0


@lru_cache(4096)
def _sounds(word: str) -> frozenset[str]:
    """The codes of double metaphone: consonants as they sound, with one code more where they may sound otherwise."""
    return frozenset(doublemetaphone(word)) - {""}


def _beginning(word: str) -> str:
    """The first letter as it sounds; metaphone hears no difference between Tina and Dina."""
    for written, heard in _BEGINNINGS:
        if word.startswith(written):
            return heard[0]
    return word[:1]


def _vowels(word: str) -> str:
    """The vowels of a word in their order, doubled ones once."""
    return "".join(letter for letter, _ in groupby(letter for letter in word.replace("y", "i") if letter in _VOWELS))


def _last_vowel(word: str) -> str:
    """The vowel that a word ends in, if it ends in one."""
    return word[-1] if word[-1] in _VOWELS else ""


def _stem(word: str) -> str:
    """The word without its final vowels."""
    return word.rstrip(_VOWELS)
