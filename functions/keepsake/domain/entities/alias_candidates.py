"""Names that may be one and the same: misheard, misspelt, or with more or less of the name. Only ever a question.

Two names are taken for variants where they sound alike ("Makesh", "Mukesh"), are written nearly alike ("Siemens",
"Simens"), or one is the beginning of the other ("John", "John Doe"). Names that differ in their last vowel alone are
not: "Anna" and "Anne", "Paul" and "Paula" are what people call different people, and nobody mishears one for the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from keepsake.domain.entities.entity import SELF, Entity, entity_slug
from keepsake.domain.entities.relatives import is_relation
from keepsake.domain.text import vocabulary

MIN_LIKENESS = 0.84
"""How alike two names must be written, where they do not sound the same."""

_SOUNDS = (("ph", "f"), ("ck", "k"), ("c", "k"), ("q", "k"), ("x", "ks"), ("z", "s"), ("w", "v"), ("y", "i"), ("h", ""))
_VOWELS = "aeiouäöüáéíóúàèìòùâêîôû"
_FORMS = vocabulary("corp corporation inc incorporated ltd limited llc gmbh ag co company plc sa se")
_MIN_LETTERS = 5
_MOST_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class Variant:
    """Two entities that may be one: ``key`` was known first."""

    key: str
    variant: str
    similarity: float


def variants(new: str, entities: Sequence[Entity]) -> list[Variant]:
    """The known entities of which a new key may be another spelling, likest first."""
    kind, _, name = new.partition(":")
    if new == SELF or is_relation(name):
        return []
    found = []
    for entity in entities[:_MOST_COMPARED]:
        same_kind, _, own = entity.key.partition(":")
        if same_kind != kind or entity.key in (new, SELF) or is_relation(own):
            continue
        slugs = {own, *map(entity_slug, (entity.label, *entity.aliases))} - {""}
        likeness = max(alike(name, slug, of_people=kind == "person") for slug in slugs)
        if likeness:
            found.append(Variant(entity.key, new, round(likeness, 3)))
    return sorted(found, key=lambda one: (-one.similarity, one.key))


def alike(one: str, other: str, *, of_people: bool = True) -> float:
    """How alike two names are, as slugs; 0 where they are not taken for variants."""
    left, right = _words(one), _words(other)
    if left == right:
        return 1.0
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < len(longer):
        return 0.9 if longer[: len(shorter)] == shorter and len("".join(shorter)) > 2 else 0.0
    different = [(place, *pair) for place, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]]
    if len(different) != 1:
        return 0.0
    place, word, other_word = different[0]
    return _word(word, other_word, by_sound_alone=of_people and place == 0)


def _words(name: str) -> list[str]:
    words = name.split("_")
    kept = [word for word in words if word not in _FORMS]
    return kept or words


def _word(one: str, other: str, *, by_sound_alone: bool) -> float:
    """How alike two words are; a first name has to sound the same: one letter more makes another (Marina, Martina)."""
    if any(character.isdigit() for character in one + other) or _ending(one) == _ending(other):
        return 0.0
    likeness = Levenshtein.normalized_similarity(one, other)
    sound, other_sound = _sound(one), _sound(other)
    if sound == other_sound:
        return max(likeness, 0.95)
    vowel, other_vowel = one[-1] in _VOWELS, other[-1] in _VOWELS
    if min(len(one), len(other)) < _MIN_LETTERS or one[0] != other[0] or vowel != other_vowel:
        return 0.0
    if _consonants(sound) == _consonants(other_sound):
        return max(likeness, 0.85)
    long_enough = min(len(one), len(other)) > _MIN_LETTERS
    return likeness if long_enough and not by_sound_alone and likeness >= MIN_LIKENESS else 0.0


def _ending(word: str) -> str:
    """The word without the vowels it ends in: what is left alike tells two names apart, not two spellings."""
    return word.rstrip(_VOWELS)


def _sound(word: str) -> str:
    for written, heard in _SOUNDS:
        word = word.replace(written, heard)
    return re.sub(r"(.)\1+", r"\1", word)


def _consonants(sound: str) -> str:
    return sound[:1] + sound[1:].translate(dict.fromkeys(map(ord, _VOWELS)))
