"""Finds what is to be remembered of a message: lasting statements about its author and those close to them.

``extract`` reads English, ``other_languages`` the others that have rules. An English message goes through these steps:

- ``rules``: what lasts and has one value: by its verb (``read_kind`` finds it in ``statement_kinds``, and
  ``statement_candidate`` writes it), or by the first rule of ``languages/`` with one of its ``forms``
- ``coreference``: splits the message into clauses in which "she" has a name, and what "actually it's ramen" corrects
- ``classified_statements``: a classifier judges the clauses that no rule reads, by their words and grammar

The same rules find the key of a text in the third person (``key_of_text``). ``is_stated`` says whether a message really
states the words that a model quotes from it, and why nothing was found in it.
"""

from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.is_stated import is_stated
from keepsake.domain.reading.statements.key_of_text import key_of, keys_of, read_statement
from keepsake.domain.reading.statements.other_languages import brings_text, language_of, read_other_language
from keepsake.domain.reading.statements.rules import from_clause

__all__ = [
    "brings_text",
    "extract",
    "from_clause",
    "is_stated",
    "key_of",
    "keys_of",
    "language_of",
    "read_other_language",
    "read_statement",
]
