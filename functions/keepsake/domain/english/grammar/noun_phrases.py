"""Noun phrases: where the first one ends."""

from __future__ import annotations

from keepsake.domain.english.grammar.word_forms import is_in

Words = tuple[str, ...]


def noun_phrase(words: Words) -> Words:
    """The words of the first noun phrase, without what is attached to it."""
    for index, word in enumerate(words):
        if index and is_in("ends_noun_phrase", word):
            return words[:index]
    return words
