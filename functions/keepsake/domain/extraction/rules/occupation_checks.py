"""Checks whether words say what a relative is, or where a relative works."""

from __future__ import annotations

from keepsake.domain.extraction.rules.name_checks import is_occupation
from keepsake.domain.extraction.rules.rule import Values
from keepsake.domain.extraction.rules.split_clauses import Clause


def is_occupation_of_relative(values: Values, clause: Clause) -> bool:
    """Whether what a relative is called is an occupation."""
    return is_occupation({"job": values.get("object", "")}, clause)


def is_durable_employment(values: Values, clause: Clause) -> bool:
    """Whether the place is where somebody works, and not what they began ("started at noon")."""
    place = values.get("place", "")
    return place[:1].isupper() or "work" in clause.words or "job" in clause.words
