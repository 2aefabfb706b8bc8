"""Phrases of a clause as slugs for keys, and as words for texts."""

from __future__ import annotations

from keepsake.domain.english.inflection import gerund_base, singular
from keepsake.domain.english.kinship import common_noun
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.third_person import capitalize, to_third_person_pronouns
from keepsake.domain.text import slug, word_set

_DETERMINER = load_pattern("determiner")
_TAIL = load_pattern("tail")
_MAX_SLUG_WORDS = 8
_MAX_PLACE_WORDS = 4
_AMOUNTS = (" way too much ", " way too many ", " too much ", " too many ", " so much ", " so many ")
_SMALL_IN_NAMES = word_set("and of on the upon de da do la le sur am an der")
_DESCRIPTION = frozenset(load_sections("places")["descriptions"])


def phrase_slug(phrase: str) -> str:
    """What a phrase is about, as a slug without determiners, reasons and plural endings."""
    for amount in _AMOUNTS:
        phrase = phrase.replace(amount, " ")
    core = _TAIL.sub("", phrase.strip(" ,.!"))
    core = _DETERMINER.sub("", core) or core
    parts = slug(core).split("_")[:_MAX_SLUG_WORDS]
    return "_".join(_base(part, first=index == 0, last=index == len(parts) - 1) for index, part in enumerate(parts))


def _base(word: str, *, first: bool, last: bool) -> str:
    if first and word.endswith("ing"):
        return gerund_base(word)
    return common_noun(singular(word)) if last else word


def clean_phrase(phrase: str) -> str:
    """A matched phrase in the third person, without punctuation around it."""
    return to_third_person_pronouns(phrase.strip(" ,.!"))


def place_name(place: str) -> str:
    """A place with capitals; a description of one ("a flat near the river") stays as it is."""
    words = place.split()
    is_name = len(words) <= _MAX_PLACE_WORDS and _DESCRIPTION.isdisjoint(words) and not any(map(str.isdigit, place))
    return title_case_name(place) if is_name else place


def title_case_name(name: str) -> str:
    """A name with capitals: those it has, or else one for each word, but for small ones among them."""
    if any(map(str.isupper, name)):
        return name
    parts = name.split()
    small = _SMALL_IN_NAMES if len(parts) > 1 else ()
    return " ".join(part if part in small else capitalize(part) for part in parts)
