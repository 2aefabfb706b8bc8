"""Checks that refuse a match which only looks right: words that are no name, what is about the assistant."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from keepsake.domain.english.load_word_lists import load_sections, load_words
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.word_groups import DIETS, FEELINGS, NAMES_LIKE_FORMS, NATIONALITIES_AND_RELIGIONS
from keepsake.domain.reading.clauses.split_clauses import Clause

Values = Mapping[str, str]
"""The named groups of a match; a group that took no part in it is missing."""
Check = Callable[[Values, Clause], bool]
VAGUE_OBJECT = load_pattern("vague_object")
ASSISTANT = load_pattern("assistant")
_WORDS = {section: frozenset(entries) for section, entries in load_sections("words", __package__).items()}
_NOT_NAMES = load_words("not_names", __package__)
_STATE = re.compile(rf"{FEELINGS}|{DIETS}", re.IGNORECASE)
_ENDINGS_OF_ADJECTIVES = ("ish", "ese", "less", "ful", "ing", "ed")
_LONE_NAME = re.compile(r"I['\u2019]m (?:[A-Z][a-z]{2,14})(?:[ -][A-Z][a-z]{1,14})?")
_MAX_NAME_WORDS = 4
_MAX_AGE = 120


def is_own_favorite(values: Values, clause: Clause) -> bool:
    """Whether it is a favorite of the author, and no compliment to the assistant."""
    return ASSISTANT.search(f"{values.get('thing', '')} {values.get('value', '')}") is None


def is_plausible_age(values: Values, clause: Clause) -> bool:
    """Whether people reach this age."""
    age = values.get("age", "")
    return not age.isdigit() or 0 < int(age) <= _MAX_AGE


def is_possible_name(values: Values, clause: Clause) -> bool:
    """Whether a person may be called by these words."""
    parts = values.get("name", "").lower().split()
    return 0 < len(parts) <= _MAX_NAME_WORDS and _NOT_NAMES.isdisjoint(parts[:2])


def _is_capitalized_name(values: Values, clause: Clause) -> bool:
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
    return is_possible_name(values, clause) and (is_introduced or _is_capitalized_name(values, clause))


def is_in_first_sentence(values: Values, clause: Clause) -> bool:
    """Whether nobody else was spoken of in a sentence before."""
    return clause.sentence == 0


def is_introduced_name(values: Values, clause: Clause) -> bool:
    """Whether an introduction gives the name, or the message begins with "I'm Daniel" and nothing beside."""
    is_alone = clause.sentence == 0 and not clause.is_embedded and _LONE_NAME.fullmatch(clause.quote) is not None
    return (clause.has_introduction or is_alone) and _is_capitalized_name(values, clause)
