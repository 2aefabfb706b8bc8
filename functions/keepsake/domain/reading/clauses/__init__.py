"""Splits a message into clauses: single statements, questions and requests in standard words, each with its quote.

- ``split_clauses``: cuts the message into sentences, and makes the clauses of their parts
- ``parts``: cuts a sentence at its joints, and says what each part is, or that it continues the one before
- ``subjects``: who a part is about; ``beginnings``: what was left out before it
- ``embedded_statements`` are inside clauses; ``clause_filters`` recognize what is no statement, and remarks behind one
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
