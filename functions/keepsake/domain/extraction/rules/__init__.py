"""Extraction without a model: what a person states about themselves, found by rules in their own words.

The way of a message, module by module:

- ``normalize_message``: standard spelling, and what chat writers leave out
- ``quoted_text``, ``sentences``: what is not the author's is masked; sentences, and whether they ask
- ``split_clauses``, ``embedded_statements``, ``normalize_clause``: single statements in standard words
- ``apply_rules``: the first rule that fits (``load_rules`` from ``languages/``, ``checks``), and ``build_candidate``
- ``coreference``, ``corrections``, ``split_lists``: who "she" is, "actually it's ramen", several things in one clause
- ``clause_reader``: what no rule reads, by its grammar
- ``extract``: all of this; ``read_message`` also reads other languages, and says why nothing was found
"""
