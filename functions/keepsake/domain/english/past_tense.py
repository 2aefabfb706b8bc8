"""Whether a statement is in the past tense ("got married", "Met Keanu Reeves"), and whether a word is its verb."""

from __future__ import annotations

from keepsake.domain.english.lemmas import known_lemmas, known_tags
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.text import word_set, words

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
