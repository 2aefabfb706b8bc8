"""Noun phrases: where the first one after a verb ends, its head, and whether it is of the moment."""

from __future__ import annotations

from keepsake.domain.extraction.rules.clause_reader.word_classes import is_in
from keepsake.domain.extraction.rules.pattern_file import load_pattern

Words = tuple[str, ...]

_PASSING_NOUN = load_pattern("passing_noun")


def noun_phrase(words: Words) -> Words:
    """The words of the first noun phrase, without what is attached to it."""
    for index, word in enumerate(words):
        if index and is_in("ends_noun_phrase", word):
            return words[:index]
    return words


def head_of(words: Words) -> str:
    """The head of the first noun phrase ("dog" of "a big dog with …")."""
    phrase = noun_phrase(words)
    return phrase[-1] if phrase else ""


def is_passing(words: Words) -> bool:
    """Whether the first noun phrase is of the moment ("a headache", "a B")."""
    phrase = noun_phrase(words)
    is_letter = len(phrase) > 1 and len(phrase[-1]) == 1
    return is_letter or is_in("passing_nouns", *phrase) or _PASSING_NOUN.search(" ".join(phrase)) is not None
