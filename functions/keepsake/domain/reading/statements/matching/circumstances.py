"""Finds what limits a statement to some of the time: "on weekends", "in the summer", "when I visit my parents"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.rule import Rule

_CIRCUMSTANCE = re.compile(rf"\b{load_alternations('circumstances')['circumstances']}\b", re.IGNORECASE)
_BEGINNING = re.compile(r"\b(?:started|moved|began|joined|got|became|since|quit|left)\b", re.IGNORECASE)
_LIMITED_KEYS = ("home", "employer", "occupation", "diet", "favorite_", "{who}|home", "{who}|occupation")
"""Beginnings of the keys of rules whose statement replaces another one."""


def is_unlimited(rule: Rule, clause: Clause) -> bool:
    """Whether what a rule reads in a clause may replace what it reads elsewhere, since nothing limits it."""
    if rule.corrects or not rule.key.startswith(_LIMITED_KEYS) or _BEGINNING.search(clause.words):
        return True
    return _CIRCUMSTANCE.search(f"{clause.fronted_phrase} {clause.words}") is None
