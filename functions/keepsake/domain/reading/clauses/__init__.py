"""Splits a message into clauses: single statements, questions and requests in standard words, each with its quote.

- ``sentences``: sentences, and whether they ask
- ``joints``: where a sentence is cut; ``parts``: what each part is, or that it continues the one before
- ``split_clauses``: the clauses; ``embedded_statements`` are inside others
- ``subjects``: who a part is about; ``beginnings``: what was left out before it, ``predicates``: behind it
- ``clause_filters`` and ``trailing_remarks`` recognize what is no statement
- ``normalize_clause``: standard words

A clause has its ``words`` in this form, which the rules read, and as they were ``said``, which the classifier reads.
"""

from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses

__all__ = [
    "Clause",
    "clauses",
    "normalize_clause",
]
