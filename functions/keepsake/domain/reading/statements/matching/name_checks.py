"""Checks that refuse words which stand where a name or an occupation may stand, and are none."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.word_groups import DIETS, FEELINGS, JOBS, NAMES_LIKE_FORMS, NATIONALITIES_AND_RELIGIONS
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.rule import Values

_NOT_NAMES = load_words("not_names", __package__)
_ADJECTIVE = load_pattern("adjective", feelings=FEELINGS, diets=DIETS)
_INTRODUCTION = load_pattern("introduction")
_LONE_NAME = re.compile(r"I['\u2019]m (?:[A-Z][a-z]{2,14})(?:[ -][A-Z][a-z]{1,14})?")

_ROLE_OF_A_DAY = re.compile(r"(?:maid|matron) of honou?r\b|best man\b|(?:host|master) of\b")


def is_possible_name(values: Values, clause: Clause) -> bool:
    """Whether a person may be called by these words."""
    parts = values.get("name", "").lower().split()
    return bool(parts) and len(parts) <= 4 and not any(part in _NOT_NAMES for part in parts[:2])


def is_capitalized_name(values: Values, clause: Clause) -> bool:
    """Whether these words are a name by their capitals, and no nationality or adjective."""
    name = values.get("name", "")
    first = name.lower().partition(" ")[0]
    return (
        is_possible_name(values, clause)
        and all(part[:1].isupper() for part in name.split())
        and first not in NATIONALITIES_AND_RELIGIONS
        and (first in NAMES_LIKE_FORMS or _ADJECTIVE.fullmatch(first) is None)
    )


def is_name_of_relative(values: Values, clause: Clause) -> bool:
    """Whether the name has capitals, or the clause introduces it as a name."""
    is_introduced = _INTRODUCTION.search(clause.words) is not None
    return is_possible_name(values, clause) and (is_introduced or is_capitalized_name(values, clause))


def is_introduced_name(values: Values, clause: Clause) -> bool:
    """Whether an introduction gives the name; a bare "I am Groot" may be anything, and replaces no name."""
    return clause.has_introduction and is_capitalized_name(values, clause)


def is_occupation(values: Values, clause: Clause) -> bool:
    """Whether the noun is an occupation of which people have one."""
    job = values.get("job", "").lower()
    if _ROLE_OF_A_DAY.match(job):
        return False
    words = re.split(r" (?:at|for|in|with|on|by|who|and|of) ", job)[0].split()
    return bool(words) and len(words) <= 4 and words[-1] in JOBS


def is_in_first_sentence(values: Values, clause: Clause) -> bool:
    """Whether nobody else was spoken of in a sentence before."""
    return clause.sentence == 0


def is_lone_name(values: Values, clause: Clause) -> bool:
    """Whether the message begins with "I'm Daniel" and nothing beside."""
    return (
        clause.sentence == 0
        and _LONE_NAME.fullmatch(clause.quote) is not None
        and not clause.is_embedded
        and is_capitalized_name(values, clause)
    )


def is_occupation_of_relative(values: Values, clause: Clause) -> bool:
    """Whether what a relative is called is an occupation."""
    return is_occupation({"job": values.get("object", "")}, clause)
