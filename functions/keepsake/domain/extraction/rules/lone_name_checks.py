"""Checks whether a message begins with a name and nothing beside ("I'm Daniel")."""

from __future__ import annotations

import re

from keepsake.domain.extraction.rules.name_checks import is_capitalized_name
from keepsake.domain.extraction.rules.rule import Values
from keepsake.domain.extraction.rules.split_clauses import Clause

_LONE_NAME = re.compile(r"I['\u2019]m (?:[A-Z][a-z]{2,14})(?:[ -][A-Z][a-z]{1,14})?")


def is_lone_name(values: Values, clause: Clause) -> bool:
    """Whether the message begins with "I'm Daniel" and nothing beside."""
    return (
        clause.sentence == 0
        and _LONE_NAME.fullmatch(clause.quote) is not None
        and not clause.is_embedded
        and is_capitalized_name(values, clause)
    )
