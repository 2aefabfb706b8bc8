"""Checks that refuse a match which only looks right: vague objects, passing things, words that are no name."""

from __future__ import annotations

import re
from itertools import takewhile

from keepsake.domain.english.inflection import singular
from keepsake.domain.english.load_word_lists import load_sections, load_words
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.word_groups import DIETS, FEELINGS, JOBS, NAMES_LIKE_FORMS, NATIONALITIES_AND_RELIGIONS
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.rule import Values
from keepsake.domain.text import words

VAGUE_OBJECT = load_pattern("vague_object")
ASSISTANT = load_pattern("assistant")
_WORDS = {section: frozenset(entries) for section, entries in load_sections("words", __package__).items()}
_NOT_NAMES = load_words("not_names", __package__)
_STATE = re.compile(rf"{FEELINGS}|{DIETS}", re.IGNORECASE)
_ENDINGS_OF_ADJECTIVES = ("ish", "ese", "less", "ful", "ing", "ed")
_LONE_NAME = re.compile(r"I['\u2019]m (?:[A-Z][a-z]{2,14})(?:[ -][A-Z][a-z]{1,14})?")
_MAX_NAME_WORDS = _MAX_JOB_WORDS = 4
_MAX_AGE = 120


def is_specific_object(values: Values, clause: Clause) -> bool:
    """Whether the object says something by itself, and is not about the assistant."""
    phrase = (values.get("object") or values.get("place") or "").strip()
    return bool(phrase) and VAGUE_OBJECT.match(phrase) is None and ASSISTANT.search(phrase) is None


def is_durable_noun(values: Values, clause: Clause) -> bool:
    """Whether the object is something that one has or is for a while."""
    noun = _before(_WORDS["describing"], values.get("object", ""))[-1:]
    is_passing = any({word, singular(word)} & _WORDS["passing_nouns"] for word in noun)
    return bool(noun) and not is_passing and is_specific_object(values, clause)


def _before(ends: frozenset[str], phrase: str) -> list[str]:
    """The words of a phrase before the first of these: "teacher" of "teacher at a school"."""
    return list(takewhile(lambda word: word not in ends, phrase.split()))


def is_stopped_habit(values: Values, clause: Clause) -> bool:
    """Whether a habit was stopped for its own sake, and not what the author was just doing."""
    doing = words(values.get("doing", ""))
    is_passing = doing[:1] and doing[0] in _WORDS["passing_activities"]
    return not (clause.has_request or is_passing or not _WORDS["pointing_words"].isdisjoint(doing))


def is_own_favorite(values: Values, clause: Clause) -> bool:
    """Whether it is a favorite of the author, and no compliment to the assistant."""
    return ASSISTANT.search(f"{values.get('thing', '')} {values.get('value', '')}") is None


def is_plausible_age(values: Values, clause: Clause) -> bool:
    """Whether people reach this age."""
    age = values.get("age", "")
    return not age.isdigit() or 0 < int(age) <= _MAX_AGE


def is_occupation(values: Values, clause: Clause) -> bool:
    """Whether the noun is an occupation of which people have one."""
    job = values.get("job", "").lower()
    noun = _before(_WORDS["beside_jobs"], job)
    is_job = bool(noun) and len(noun) <= _MAX_JOB_WORDS and noun[-1] in JOBS
    return is_job and not job.startswith(tuple(_WORDS["roles_of_a_day"]))


def is_possible_name(values: Values, clause: Clause) -> bool:
    """Whether a person may be called by these words."""
    parts = values.get("name", "").lower().split()
    return 0 < len(parts) <= _MAX_NAME_WORDS and _NOT_NAMES.isdisjoint(parts[:2])


def is_capitalized_name(values: Values, clause: Clause) -> bool:
    """Whether these words are a name by their capitals, and no nationality or adjective."""
    name = values.get("name", "")
    first = name.lower().partition(" ")[0]
    is_adjective = first[1:].endswith(_ENDINGS_OF_ADJECTIVES) or _STATE.fullmatch(first) is not None
    return (
        is_possible_name(values, clause)
        and all(part[:1].isupper() for part in name.split())
        and first not in NATIONALITIES_AND_RELIGIONS
        and (first in NAMES_LIKE_FORMS or not is_adjective)
    )


def is_name_of_relative(values: Values, clause: Clause) -> bool:
    """Whether the name has capitals, or the clause introduces it as a name."""
    is_introduced = any(f" {before} " in clause.words for before in _WORDS["introductions"])
    return is_possible_name(values, clause) and (is_introduced or is_capitalized_name(values, clause))


def is_introduced_name(values: Values, clause: Clause) -> bool:
    """Whether an introduction gives the name; a bare "I am Groot" may be anything, and replaces no name."""
    return clause.has_introduction and is_capitalized_name(values, clause)


def is_in_first_sentence(values: Values, clause: Clause) -> bool:
    """Whether nobody else was spoken of in a sentence before."""
    return clause.sentence == 0


def is_lone_name(values: Values, clause: Clause) -> bool:
    """Whether the message begins with "I'm Daniel" and nothing beside."""
    is_beginning = clause.sentence == 0 and not clause.is_embedded
    return is_beginning and _LONE_NAME.fullmatch(clause.quote) is not None and is_capitalized_name(values, clause)
