"""Phrases after "am" and "have": what somebody is or has, and whether that is durable."""

from __future__ import annotations

from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.nouns import singular
from keepsake.domain.english.number_words import COUNTS
from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.english.word_groups import JOBS, NATIONALITIES_AND_RELIGIONS, ROLES
from keepsake.domain.extraction.rules.grammar.noun_phrases import Words, is_passing, noun_phrase
from keepsake.domain.extraction.rules.grammar.word_forms import (
    is_adverb,
    is_in,
    is_known_word,
    is_noun,
    verb_form,
)

_MAX_NOUN_PHRASE = 7
_AGE_UNITS = frozenset({"years", "yo", "weeks", "months", "and", "in", "next", "this", "today"})
_PREPOSITIONS = frozenset({"on", "in", "off", "at", "from", "with", "into"})
_SCHOOL_YEARS = frozenset({"year", "grade", "semester"})
_POINTERS = frozenset({"it", "this", "that", "them", "you", "me", "these", "those", "the", "all"})
_DIRECTIONS = frozenset({"out", "up", "down", "over", "back"})
_STAYING = frozenset({"for", "until", "till", "til", "visiting", "holiday", "vacation", "trip", "now", "and"})
_NEEDS_MORE = frozenset({"scared", "afraid", "terrified", "hard", "fluent", "intolerant"})


def is_home(words: Words) -> bool:
    """Whether a place is named, without how long somebody stays there ("Hoboken", not "Rome for the weekend")."""
    named = words[:1]
    is_place = named[0].isalpha() and not is_known_word(named[0]) and not is_in("vague_places", named[0])
    return is_place and _STAYING.isdisjoint(words) and not names_day(" ".join(words))


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
    head = singular(phrase[-1])
    return head in JOBS or head in ROLES or " ".join(phrase[-2:]) in JOBS or is_in("birth_order", *phrase)


def lasts_after_be(words: Words) -> bool:
    """Whether what follows "am" holds for long: a role, a property, an age, a treatment, where somebody is from."""
    first, following = words[0], words[1:2]
    if following and following[0] in _SCHOOL_YEARS:
        return True
    if first[0].isdigit() or _has_lasted(words):
        return _is_durable_number(words)
    if first.startswith(("ex-", "half-", "semi-")) or (first in ("half", "part") and following):
        return True
    if first in ("his", "her", "their") or (first == "my" and "'s" in words[1:2]):
        return is_in("care", *words[1:4])
    if first in _DIRECTIONS and following == ("in",) and len(words) > 2:
        return is_home(words[2:])
    if first in _PREPOSITIONS and following:
        return (first == "in" and is_home(words[1:])) or _is_durable_after(first, words[1:])
    return _is_durable_adjective(words) or following == ("hunting",) or _is_role_or_property(words)


def _is_durable_adjective(words: Words) -> bool:
    """Whether an adjective follows that holds for long, or says what somebody likes or is new to."""
    first, following = words[0], words[1:2]
    if first in NATIONALITIES_AND_RELIGIONS:
        return not following or not is_noun(following[0])
    if is_in("durable_adjectives", *words[:2]):
        return first not in _NEEDS_MORE or len(words) > 2
    if is_in("enthusiasms", first) and is_in("after_enthusiasm", *following):
        return len(words) > 2 and words[2] not in _POINTERS
    return first == "new" and following in (("to",), ("in",)) and len(words) > 2 and is_home(words[2:])


def _is_role_or_property(words: Words) -> bool:
    """Whether a role or another property follows, and not one of the moment."""
    return not is_in("passing_adjectives", words[0]) and (is_role(words) or _is_property(words))


def _is_property(words: Words) -> bool:
    """Whether an adjective follows that is not of the moment ("first gen", "pure veg family", "partial to rum")."""
    first = words[0]
    is_adjective = bool(known_lemmas(first, "ADJ")) and not is_adverb(first) and verb_form(first) is None
    return is_adjective and len(words) > 1 and not is_in("passing_nouns", *words) and _POINTERS.isdisjoint(words)


def _is_durable_number(words: Words) -> bool:
    """Whether a number after "am" is an age, a school year or a span of time in a state."""
    first, following = words[0], words[1:2]
    if _has_lasted(words) or (following and following[0] in _SCHOOL_YEARS):
        return True
    return first.isdigit() and (not following or following[0] in _AGE_UNITS)


def _is_durable_after(preposition: str, words: Words) -> bool:
    """Whether what follows "I'm on", "in" or "off" holds for long: "on the pill", "in a wheelchair", "off dairy"."""
    if preposition == "in":
        return _is_durable_state(words)
    if preposition == "off":
        return is_in("consumables", words[0])
    if preposition != "on":
        return words[0].isalpha() and not is_in("vague_places", words[0]) and not is_in("passing_nouns", words[0])
    if words[0] in ("the", "my", "our"):
        return is_in("lasting_on", *noun_phrase(words))
    return not is_in("passing_on", *words[: 2 if words[0] in ("a", "an") else 1])


def _has_lasted(words: Words) -> bool:
    """Whether the words begin with a span of time in a state: "six weeks sober", "two years into a PhD"."""
    is_span = words[0][0].isdigit() or words[0] in COUNTS or words[0] in ("a", "nearly", "almost")
    return is_span and is_in("spans", *words[1:3]) and is_in("after_span", *words[2:5])


def _is_durable_state(words: Words) -> bool:
    """Whether what follows "in" holds for long: a school year, a group, a wheelchair; not a meeting."""
    phrase = noun_phrase(words)
    if not _SCHOOL_YEARS.isdisjoint((*words[:1], *words[2:3])) or is_in("fields_of_work", words[0]):
        return True
    if is_in("groups", *phrase) or is_in("lasting_in", *phrase):
        return True
    return words[0] in ("a", "an") and len(phrase) > 1 and not is_in("passing_in", *phrase) and not is_passing(words)


def lasts_after_have(words: Words) -> bool:
    """Whether what follows "have" is a person, an animal, a thing or an illness, and not of the moment."""
    form = verb_form(words[0])
    if words[0] == "to" or (form is not None and form.is_participle and not is_noun(words[0])):
        return False
    phrase = noun_phrase(words)
    if len(phrase) == 1 and phrase[0] in COUNTS:
        return False
    return not is_passing(words) and is_noun(phrase[-1]) and len(phrase) <= _MAX_NOUN_PHRASE
