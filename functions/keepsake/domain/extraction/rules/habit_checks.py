"""Checks that refuse what only looks like a habit or a skill: the errand, the complaint, the moment."""

from __future__ import annotations

from keepsake.domain.extraction.rules.checks import is_specific_object, is_specific_without_request
from keepsake.domain.extraction.rules.pattern_file import load_pattern
from keepsake.domain.extraction.rules.rule import Values
from keepsake.domain.extraction.rules.split_clauses import Clause

_NOT_HABIT = load_pattern("not_habit")
_REGULAR_START = load_pattern("regular_start")
_REGULAR_END = load_pattern("regular_end")
_NOT_REGULAR = load_pattern("not_regular")
_PASSING_ACTIVITY = load_pattern("passing_activity")
_NOT_SKILL = load_pattern("not_skill")


def is_habit(values: Values, clause: Clause) -> bool:
    """Whether the author does this again and again, or for a living."""
    return is_specific_object(values, clause) and _NOT_HABIT.match(values.get("object", "")) is None


def is_regular_habit(values: Values, clause: Clause) -> bool:
    """Whether it is done at regular times, which makes anything a habit ("every Sunday I call my parents")."""
    phrase = values.get("object", "")
    is_regular = _REGULAR_START.match(clause.fronted_phrase) or _REGULAR_END.search(phrase)
    return bool(is_regular) and not _NOT_REGULAR.match(phrase) and is_specific_without_request(values, clause)


def is_stopped_habit(values: Values, clause: Clause) -> bool:
    """Whether a habit was stopped, and not what the author was just doing."""
    return not clause.has_request and _PASSING_ACTIVITY.match(values.get("doing", "")) is None


def is_general_skill(values: Values, clause: Clause) -> bool:
    """Whether the author can do this in general."""
    return _NOT_SKILL.search(values.get("object", "")) is None
