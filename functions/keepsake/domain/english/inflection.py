"""The forms of verbs and nouns: base forms and singulars for keys, third persons for texts, and what is past."""

from __future__ import annotations

from functools import lru_cache

from keepsake.domain.english.lemmas import base_form, inflect, known_lemmas, verb_tags
from keepsake.domain.english.load_word_lists import load_pairs, load_words
from keepsake.domain.text import words

_SINGULAR_ENDINGS = ("ss", "us", "is")
"""Endings of a singular, in words that the dictionary does not know ("Paris", "lotus")."""


@lru_cache(16_384)
def singular(word: str) -> str:
    """A noun's singular, in lower case; any other word, and a name that ends in "s", as it is."""
    if word[:-1].isdigit():
        return word.removesuffix("s")  # the 1970s
    if len(word) < 3 or not word.isalpha() or word in load_words("not_plural"):
        return word
    if word in load_pairs("irregular_plurals"):
        return load_pairs("irregular_plurals")[word]
    may_be_plural = word.endswith("s") and not word.endswith(_SINGULAR_ENDINGS)
    return base_form(word, "NOUN") if may_be_plural or known_lemmas(word, "NOUN") else word


def is_plural(word: str) -> bool:
    """Whether a noun is in the plural ("rehearsals")."""
    return singular(word.lower()) != word.lower()


_IRREGULAR = {"am": "is", "is": "is", "was": "was", "are": "are", "were": "was"}


def gerund_base(word: str) -> str:
    """The base form of a verb in "-ing" ("hoping": "hope"); a noun in "-ing" as it is ("morning")."""
    if not word.endswith("ing") or not word.isalpha() or word in load_words("nouns_in_ing"):
        return word
    base = base_form(word, "VERB")
    return base if known_lemmas(base, "VERB") or not known_lemmas(word, "NOUN") else word


def base_phrase(phrase: str) -> str:
    """The phrase with its first word in the base form ("going to the gym": "go to the gym")."""
    verb, space, rest = phrase.partition(" ")
    return f"{gerund_base(verb.lower())}{space}{rest}".strip()


def third_person_base(verb: str) -> str:
    """The base form of a verb in the third person ("watches": "watch"); any other form as it is."""
    return base_form(verb, "VERB") if verb.endswith("s") and verb not in _IRREGULAR else verb


def third_person_verb(verb: str) -> str:
    """The verb after "I" as it stands after a name ("watch": "watches"); past and modal forms stay."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    return lower if _is_past_or_modal(lower) else inflect(lower, "VBZ")


def _is_past_or_modal(verb: str) -> bool:
    """Whether a verb after "I" has no "-s" in the third person: "went", "lit", "can"."""
    return verb in load_words("unchanged_verbs") or base_form(verb, "VERB") != verb


_PRESENT = frozenset({"is", "are", "will"})


def is_past(text: str) -> bool:
    """Whether a statement is in the past tense: "got married", "Met Keanu Reeves", not "is getting married"."""
    said = words(text)
    return _PRESENT.isdisjoint(said) and (begins_in_past(text) or any(map(_is_only_past, said)))


def _is_only_past(word: str) -> bool:
    tags = verb_tags(word)
    return "VBD" in tags and "VBP" not in tags


def begins_in_past(text: str) -> bool:
    """Whether a statement without its subject begins with a verb in the past tense ("Ran 5k", "Put up a shelf")."""
    return "VBD" in verb_tags(text.partition(" ")[0].lower())


def is_finite(word: str) -> bool:
    """Whether a word in lower case may be the verb of a statement in the third person: "lives", "came", "is"."""
    return word in load_words("finite_verbs") or not verb_tags(word).isdisjoint({"VBZ", "VBD"})
