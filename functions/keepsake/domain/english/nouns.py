"""The singular of nouns: part of the key of a memory, so "a mouse" and "two mice" are one thing."""

from __future__ import annotations

from functools import lru_cache

from keepsake.domain.english.lemmas import guess_lemma, known_lemmas
from keepsake.domain.english.load_word_lists import load_pairs, load_words

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
