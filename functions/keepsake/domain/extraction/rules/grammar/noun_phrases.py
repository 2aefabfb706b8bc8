"""Noun phrases: where the first one ends, its head, and whether it is of the moment."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.extraction.rules.grammar.word_forms import VerbForm, is_in, is_noun, verb_form
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern

Words = tuple[str, ...]

_PASSING_NOUN = load_pattern("passing_noun")


def noun_phrase(words: Words) -> Words:
    """The words of the first noun phrase, without what is attached to it."""
    for index, word in enumerate(words):
        if index and is_in("ends_noun_phrase", word):
            return words[:index]
    return words


def is_passing(words: Words) -> bool:
    """Whether the first noun phrase is of the moment ("a headache", "a B")."""
    phrase = noun_phrase(words)
    is_letter = len(phrase) > 1 and len(phrase[-1]) == 1
    return is_letter or is_in("passing_nouns", *phrase) or _PASSING_NOUN.search(" ".join(phrase)) is not None


def third_person_with_object(words: Sequence[str]) -> VerbForm | None:
    """The verb in the third person with which the words begin: "drinks coffee"; none in "drinks on Fridays"."""
    form = verb_form(words[0]) if len(words) > 1 else None
    if form is None or not form.is_third_person or is_in("ends_noun_phrase", words[1]):
        return None
    following = verb_form(words[1])
    is_object = is_noun(words[1]) and not (following is not None and following.is_base)  # "dogs need a walk"
    return form if is_in("determiners", words[1]) or is_object else None
