"""Splits a message into clauses: single statements in standard words, each with its quote.

- ``sentences``: sentences, and whether they ask; ``run_on_sentences`` finds where one goes on without a full stop
- ``split_clauses``: the clauses of a sentence
- ``introductions`` and ``embedded_statements``: statements inside others
- ``clause_filters`` and ``trailing_remarks`` recognize what is no statement
- ``normalize_clause``: standard words; ``phrase_slugs``: the words of a clause for keys and texts
"""
