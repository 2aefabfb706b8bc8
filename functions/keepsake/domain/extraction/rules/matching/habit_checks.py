"""Checks that refuse what only looks like a habit or a skill: the errand, the complaint, the moment."""

from __future__ import annotations

from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.grammar.noun_phrases import third_person_with_object
from keepsake.domain.extraction.rules.grammar.word_forms import verb_form
from keepsake.domain.extraction.rules.matching.checks import is_specific_object
from keepsake.domain.extraction.rules.matching.rule import Values
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern

_NOT_HABIT = load_pattern("not_habit")
_REGULAR_START = load_pattern("regular_start")
_REGULAR_END = load_pattern("regular_end")
_NOT_REGULAR = load_pattern("not_regular")
_PASSING_ACTIVITY = load_pattern("passing_activity")


def is_habit(values: Values, clause: Clause) -> bool:
    """Whether the author does this again and again, or for a living."""
    return is_specific_object(values, clause) and _NOT_HABIT.match(values.get("object", "")) is None


def is_regular_habit(values: Values, clause: Clause) -> bool:
    """Whether it is done at regular times, which makes anything a habit ("every Sunday I call my parents")."""
    phrase = values.get("object", "")
    is_regular = _REGULAR_START.match(clause.fronted_phrase) or _REGULAR_END.search(phrase)
    is_done = _begins_with_verb(phrase) and not _NOT_REGULAR.match(phrase)
    return bool(is_regular) and is_done and is_specific_object(values, clause)


def is_stopped_habit(values: Values, clause: Clause) -> bool:
    """Whether a habit was stopped, and not what the author was just doing."""
    return _PASSING_ACTIVITY.match(values.get("doing", "")) is None


def _begins_with_verb(phrase: str) -> bool:
    """Whether a phrase begins with a verb as it stands after "I"; "do drinks coffee" begins with two."""
    first, *following = phrase.lower().split()
    form = verb_form(first)
    is_one_verb = first != "do" or not following or third_person_with_object(following) is None
    return form is not None and (form.is_base or form.is_past) and is_one_verb
