"""The forms of verbs and nouns: base forms and singulars for keys, third persons for texts, and what is past."""

from __future__ import annotations

from functools import lru_cache

from keepsake.domain.english.lemmas import guess_lemma, inflect, known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_pairs, load_words
from keepsake.domain.text import word_set, words

_SINGULAR_ENDINGS = ("ss", "us", "is")
"""Endings of a singular, in words that the dictionary does not know ("Paris", "lotus")."""


@lru_cache(16_384)
def singular(word: str) -> str:
    """A noun's singular, in lower case; any other word, and a name that ends in "s", as it is."""
    if word[:-1].isdigit():
        return word.removesuffix("s")  # the 1970s
    if len(word) < 3 or not word.isalpha() or word in load_words("not_plural"):
        return word
    irregular = load_pairs("irregular_plurals").get(word)
    if irregular is not None:
        return irregular
    known = known_lemmas(word, "NOUN")
    if known:
        return known[0]
    if not word.endswith("s") or word.endswith(_SINGULAR_ENDINGS):
        return word
    return guess_lemma(word, "NOUN")


def is_plural(word: str) -> bool:
    """Whether a noun is in the plural ("rehearsals")."""
    return singular(word.lower()) != word.lower()


_IRREGULAR = {"am": "is", "is": "is", "was": "was", "are": "are", "were": "was"}


def gerund_base(word: str) -> str:
    """The base form of a verb in "-ing" ("hoping": "hope"); a noun in "-ing" as it is ("morning")."""
    if not word.endswith("ing") or not word.isalpha() or word in load_words("nouns_in_ing"):
        return word
    known = known_lemmas(word, "VERB")
    if known:
        return known[0]
    guess = guess_lemma(word, "VERB")
    return word if known_lemmas(word, "NOUN") and not known_lemmas(guess, "VERB") else guess


def base_phrase(phrase: str) -> str:
    """The phrase with its first word in the base form ("going to the gym": "go to the gym")."""
    verb, space, rest = phrase.partition(" ")
    return f"{gerund_base(verb.lower())}{space}{rest}".strip()


def third_person_base(verb: str) -> str:
    """The base form of a verb in the third person ("watches": "watch"); any other form as it is."""
    if not verb.endswith("s") or verb in _IRREGULAR:
        return verb
    known = known_lemmas(verb, "VERB")
    if known:
        return known[0]
    return verb if verb.endswith("ss") or verb in load_words("not_plural") else guess_lemma(verb, "VERB")


def third_person_verb(verb: str) -> str:
    """The verb after "I" as it stands after a name ("watch": "watches"); past and modal forms stay."""
    lower = verb.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    return lower if _is_past_or_modal(lower) else inflect(lower, "VBZ")


def _is_past_or_modal(verb: str) -> bool:
    """Whether a verb after "I" has no "-s" in the third person: "went", "lit", "can"."""
    if verb in load_words("unchanged_verbs"):
        return True
    known = known_lemmas(verb, "VERB")
    return known[0] != verb if known else verb.endswith("ed")


_IRREGULAR_PAST = word_set("""
    was were had did got died went lost left quit broke began bought sold gave met ran won saw came took made found flew
    swam fell caught drove ate drank sang spoke taught told slept spent threw wore wrote
""")
_NOT_PAST = frozenset({"is", "are", "will"})
_MIN_REGULAR = 4
"""Letters of a regular verb in the past tense: "used"."""


def is_past(text: str) -> bool:
    """Whether a statement is in the past tense: "got married", "Met Keanu Reeves", not "is getting married"."""
    said = words(text)
    is_regular = any(word.endswith("ed") and len(word) >= _MIN_REGULAR for word in said)
    has_past = is_regular or not _IRREGULAR_PAST.isdisjoint(said) or begins_in_past(text)
    return has_past and _NOT_PAST.isdisjoint(said)


def begins_in_past(text: str) -> bool:
    """Whether a statement without its subject begins with a verb in the past tense ("Ran 5k", "Put up a shelf")."""
    verb = text.partition(" ")[0].lower()
    return any("VBD" in known_tags(verb, lemma) for lemma in known_lemmas(verb, "VERB"))


def is_finite(word: str) -> bool:
    """Whether a word in lower case may be the verb of a statement in the third person: "lives", "came", "is"."""
    if word in load_words("finite_verbs"):
        return True
    tags = {tag for lemma in known_lemmas(word, "VERB") for tag in known_tags(word, lemma)}
    return bool(tags & {"VBZ", "VBD"})
