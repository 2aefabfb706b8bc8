"""Phrases after "am" and "have": what somebody is or has, and whether that is durable."""

from __future__ import annotations

from keepsake.domain.english.rule_words import JOBS
from keepsake.domain.extraction.rules.clause_reader.noun_phrases import Words, is_passing, noun_phrase
from keepsake.domain.extraction.rules.clause_reader.word_classes import is_in
from keepsake.domain.extraction.rules.clause_reader.word_forms import is_noun, verb_form

_MAX_NOUN_PHRASE = 7
_AGE_UNITS = frozenset({"years", "yo", "weeks", "months", "and", "in", "next", "this", "today"})
_NEEDS_MORE = frozenset({"scared", "afraid", "terrified", "hard", "fluent", "intolerant"})


def is_name_or_thing(words: Words) -> bool:
    """Whether a noun phrase with a determiner follows ("a 2014 model")."""
    return is_in("determiners", words[0]) and len(words) > 1 and not is_in("passing_nouns", *noun_phrase(words))


def is_role(words: Words) -> bool:
    """Whether the words say what somebody is: "a nurse", "nurse in Linz"."""
    phrase = noun_phrase(words)
    if is_passing(words):
        return False
    if phrase[0] in ("a", "an") and len(phrase) > 1:
        return not is_in("passing_adjectives", *phrase[1:2])
    return phrase[-1] in JOBS or " ".join(phrase[-2:]) in JOBS


def is_durable_description(words: Words) -> bool:
    """Whether what follows "am" holds for long: a role, a property, an age, a treatment, where somebody is from."""
    first, following = words[0], words[1:2]
    if first.isdigit():
        return not following or following[0] in _AGE_UNITS
    if is_in("nationalities", first):
        return not following or not is_noun(following[0])
    if is_in("durable_adjectives", *words[:2]):
        return first not in _NEEDS_MORE or len(words) > 2
    if first == "on" and following:
        return not is_in("passing_on", *words[1 : 3 if following[0] in ("a", "an") else 2])
    if first in ("at", "from", "with", "into") and following:
        return (
            following[0].isalpha() and not is_in("vague_places", *following) and not is_in("passing_nouns", *following)
        )
    return not is_in("passing_adjectives", first) and is_role(words)


def is_durable_object(words: Words) -> bool:
    """Whether what follows "have" is a person, an animal, a thing or an illness, and not of the moment."""
    form = verb_form(words[0])
    if words[0] == "to" or (form is not None and form.is_participle and not is_noun(words[0])):
        return False
    phrase = noun_phrase(words)
    return not is_passing(words) and is_noun(phrase[-1]) and len(phrase) <= _MAX_NOUN_PHRASE
