"""Completes what people type without "I": "sold the car", "living in Turin", "on keto", "gym 3x a week"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.number_words import COUNTS
from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.english.word_groups import JOBS, NATIONALITIES_AND_RELIGIONS, ROLES
from keepsake.domain.extraction.rules.clauses.clause_filters import has_gerund_subject
from keepsake.domain.extraction.rules.clauses.self_descriptions import describe_self
from keepsake.domain.extraction.rules.grammar.noun_phrases import (
    Words,
    is_passing,
    noun_phrase,
    third_person_with_object,
)
from keepsake.domain.extraction.rules.grammar.word_forms import is_adverb, is_in, is_known_word, is_noun, verb_form

_VERBS = frozenset(load_sections("clauses", __package__)["verbs_without_subject"])
_FREQUENCY = re.compile(
    r"\b(?:\d ?x|once|twice|\w+ times|\d days) (?:a|per|every) (?:day|week|month|year)\b|"
    r"\bevery (?:single )?(?:day|week|morning|evening|night|month|\w+day|sun|mon|tue|wed|thu|fri|sat)\b",
    re.IGNORECASE,
)
_ON_DAYS = re.compile(
    r"\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bmost (?:days|mornings|evenings|nights|weekends)\b",
    re.IGNORECASE,
)
_SCHOOL_YEAR = re.compile(
    r"^(?:\d\w\w|first|second|third|fourth|fifth|final) (?:year|grade|semester) (?P<of>of (?:my|our|an?) )?"
    r"(?!(?:of|in|that|since|at|on|and|we|i|with|for|without|as|now|running|here)\b)(?=\w)",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"^\w+ (?:day|week|wk|month|year|yr)s (?:off|sober|clean|without|into|post|in) "
    r"(?!(?:work|school|uni|sick|now)\b)\w",
    re.IGNORECASE,
)
_LONG_SPAN = re.compile(r"^\S+ y(?:ea)?rs in (?!(?:a|advance|the|total|this|that|between|my|prison)\b)", re.IGNORECASE)
_HERE = re.compile(r"\bhere$", re.IGNORECASE)
_ROLE = re.compile(r"^as (?P<role>an? (?:[\w-]+ ){0,3}[\w-]+)$", re.IGNORECASE)
_PERSON = re.compile(r"(?:er|or|ist|ian|ant|man|woman|mum|mom|dad|parent|student)$")
_NOT_AFTER_HAVE = frozenset({"there", "you", "any", "fun", "i", "we", "they"})
_STAYING = frozenset({"for", "until", "till", "til", "visiting", "holiday", "vacation", "trip", "now", "and"})
_MAX_FRAGMENT = 12


def complete(piece: str, words: tuple[str, ...], *, is_first: bool, is_after_statement: bool, joint: str) -> str | None:
    """The words with their subject; None where no subject is missing. ``joint`` stands before them."""
    is_listed = is_first or (is_after_statement and not joint)
    if is_listed and (described := describe_self(piece, words)):
        return described
    if len(words) < 2:
        return _complete_word(piece, words) if is_listed else None
    index = 0
    while index < len(words) - 1 and is_adverb(words[index]):
        index += 1
    lower = piece[:1].lower() + piece[1:] if piece[1:2].islower() else piece
    if len(words) - index > 1 and _lacks_subject(
        words[index:], is_first=is_first, is_after_statement=is_after_statement
    ):
        form = verb_form(words[index])
        if words[index] == "been" or words[:2] == ("never", "been"):
            return f"I have {lower}"
        return f"I am {lower}" if form is not None and form.is_gerund else f"I {lower}"
    if year := _SCHOOL_YEAR.match(lower):
        return f"I am in the {lower}" if year["of"] else f"I am {lower}"
    return _complete_fragment(lower, words[index:]) if is_first else None


def _complete_word(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement of a single word: "Deaf", "teetotal"."""
    is_property = is_in("durable_adjectives", *words) or words[0] in NATIONALITIES_AND_RELIGIONS
    return f"I am {piece.lower()}" if is_property and not is_in("not_fragments", *words) else None


def _lacks_subject(words: tuple[str, ...], *, is_first: bool, is_after_statement: bool) -> bool:
    """Whether the words begin with a verb whose subject "I" was left out."""
    verb, following = words[:2]
    form = verb_form(verb)
    if verb == "been":
        return is_first
    if verb in _VERBS or is_in("goal_openers", verb):
        if is_in("auxiliaries", following) and verb == "work":  # "work has me in Oslo"
            return False
        if words[2:3] == ("me",):  # "don't call me Bill"
            return False
        return (is_first or is_after_statement) and not (verb in ("have", "has") and following in _NOT_AFTER_HAVE)
    if form is None or is_in("not_verbs", verb) or has_gerund_subject(" ".join(words)):
        return False
    if form.is_past and not form.is_base:
        return (is_first or is_after_statement) and (
            is_in("turning_verbs", form.lemma, f"{form.lemma} {following}") or verb in ("got", "had")
        )
    if not is_first or not form.is_gerund or verb == "using":
        return False
    with_particle = f"{form.lemma} {following}"
    if form.lemma == "turn" and (following[0].isdigit() or following in COUNTS or following.endswith("ty")):
        return True
    is_dated = names_day(" ".join(words)) and not is_in("passing_verbs", form.lemma, with_particle)
    return is_in("ongoing_verbs", form.lemma, with_particle) or is_dated


def _complete_fragment(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement of a phrase without a verb: what somebody is, is on, or does regularly."""
    if len(words) > _MAX_FRAGMENT:
        return None
    if (role := _ROLE.match(piece)) and (words[-1] in JOBS or _PERSON.search(words[-1])):
        return f"I am {role['role']}"
    if words[0] == "in" and _is_home(words[1:]):
        return None
    if _follows_am(words):
        return f"I am {piece}"
    if _SPAN.match(piece):
        return _complete_span(piece, words)
    if is_in("studies_without_verb", words[0]):
        return f"I am doing {piece}"
    has_verb = any(is_in("auxiliaries", word) for word in words)
    if not has_verb and is_in("hours_without_verb", words[0], " ".join(words[:2])):
        return f"I work {piece}"
    if _HERE.search(piece) and len(words) > 2 and verb_form(words[0]) is None:
        return f"I am {_HERE.sub('', piece)}"
    return _complete_habit(piece, words)


def _is_home(words: Words) -> bool:
    """Whether a place is named, without how long somebody stays there ("Hoboken", not "Rome for the weekend")."""
    is_place = words[0].isalpha() and not is_known_word(words[0]) and not is_in("vague_places", words[0])
    return is_place and _STAYING.isdisjoint(words) and not names_day(" ".join(words))


def _follows_am(words: tuple[str, ...]) -> bool:
    """Whether the words say what somebody is when "I am" stands before them."""
    if words[0] in ("on", "off", "in", "part-time", "full-time") or words[:2] == ("up", "at"):
        return True
    is_property = is_in("durable_adjectives", words[0]) and not is_in("not_fragments", words[0])
    return is_property or _is_role_at(words)


def _complete_habit(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement of what somebody does regularly: "gym 3x a week", "drinks coffee every morning"."""
    if not (_FREQUENCY.search(piece, 1) or _ON_DAYS.search(piece)):
        return None
    if verb := third_person_with_object(words):
        return f"I {verb.lemma} {piece.partition(' ')[2]}"
    is_past = any((form := verb_form(word)) and form.is_past for word in words)
    return None if is_past or _has_subject(words) or is_passing(words) else f"I do {piece}"


def _has_subject(words: tuple[str, ...]) -> bool:
    """Whether a verb says what something else does regularly ("Anna plays chess on Thursdays", "the shop closes …")."""
    is_definite = is_in("determiners", words[0])
    for index, word in enumerate(words[1:], start=1):
        if is_in("auxiliaries", word) or third_person_with_object(words[index:]):
            return True
        form, following = verb_form(word), verb_form(words[index + 1]) if index + 1 < len(words) else None
        is_verb = is_definite or not is_noun(word) or (following is not None and following.is_gerund)
        if is_verb and form is not None and form.is_third_person:
            return True
    return False


def _is_role_at(words: tuple[str, ...]) -> bool:
    """Whether the words name a role and where it is held ("nurse at St Jude's")."""
    phrase = noun_phrase(words)
    is_known = phrase[-1] in JOBS or phrase[-1] in ROLES
    return (
        is_known
        and not is_in("determiners", words[0])
        and words[len(phrase) :][:1] in (("at",), ("for",), ("in",), ("of",))
    )


def _complete_span(piece: str, words: tuple[str, ...]) -> str | None:
    """The statement of a span of time in a state: "three weeks off cigarettes", "ten years in retail"."""
    piece = piece.removesuffix(" today")
    if not (words[0].isdigit() or words[0] in COUNTS):
        return None
    if words[2] != "in":
        return f"I am {piece}"
    return f"I have been {piece}" if _LONG_SPAN.match(piece) else None
