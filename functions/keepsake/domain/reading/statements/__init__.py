"""Finds what is to be remembered of a message: lasting statements about its author and those close to them.

``extract`` reads English, ``other_languages`` the others that have rules. An English message goes through these steps:

- ``across_clauses``: who "she" is, what "actually it's ramen" corrects, and lists
- ``matching``: the first rule that fits a clause makes a candidate of it; the rules are in ``languages/``
- ``statement_classifier``: judges clauses that no rule reads, by their words and grammar

The same rules find the key of a text in the third person (``key_of_text``), and whether a message really states the
words that a model quotes from it (``is_stated``).
"""

from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.is_stated import is_stated
from keepsake.domain.reading.statements.key_of_text import key_of, keys_of, read_statement
from keepsake.domain.reading.statements.matching.apply_rules import from_clause
from keepsake.domain.reading.statements.other_languages import brings_text, read_other_language

__all__ = [
    "brings_text",
    "extract",
    "from_clause",
    "is_stated",
    "key_of",
    "keys_of",
    "read_other_language",
    "read_statement",
]
