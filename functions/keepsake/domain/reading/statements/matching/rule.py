"""A rule: the pattern of one way of saying something, and the candidate that a match becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import Clause

Values = Mapping[str, str]
"""The named groups of a match; a group that took no part in it is missing."""
Check = Callable[[Values, Clause], bool]


def group_names(pattern: re.Pattern[str]) -> set[str]:
    """The names of the groups of a pattern; ``name2`` is the group ``name`` at another place."""
    return {_without_number(name) for name in pattern.groupindex}


def named_groups(match: re.Match[str]) -> dict[str, str]:
    """The named groups that took part in a match, with the same names."""
    return {_without_number(name): value for name, value in match.groupdict().items() if value}


def _without_number(name: str) -> str:
    return name.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something: its pattern, and what to make of its named groups.

    ``key`` and ``value`` are templates that are filled with slugs, ``text`` and ``entity_label`` with words. Without
    ``text``, the clause is written in the third person. Each of the
    ``checks`` may refuse a match that only looks right.
    """

    name: str
    """The table and the number in it, for people to find it."""
    pattern: re.Pattern[str]
    key: str
    subtype: Subtype
    finds: tuple[str, ...]
    """Messages in which this rule finds something, and those in which it must not."""
    ignores: tuple[str, ...]
    value: str = "yes"
    text: str = ""
    type: MemoryType = MemoryType.FACT
    confidence: float = 0.7
    importance: int = 1
    checks: tuple[Check, ...] = ()
    retracts: bool = False
    corrects: bool = False
    allows_second_value: bool = False
    """A slot with one value takes a second one when the clause says "also"."""
    only_if_subject_known: bool = False
    """Applies only where the named subject is known already ("Kiwi died")."""
    only_if_value_unknown: bool = False
    """Adds a value, but never replaces one ("I'm Paul" may be a joke)."""
    text_optional: bool = False
    """A retraction that leaves nothing worth keeping, so there is no text ("my name is not Jon")."""
    entity_label: str = ""
    is_about_relative: bool = False
    """The memory is about the relative that the pattern names, not about the author."""
    note: str = ""
    """Why the rule stays, where it hardly ever finds anything."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The English words for those that its language has for relatives and the like."""
