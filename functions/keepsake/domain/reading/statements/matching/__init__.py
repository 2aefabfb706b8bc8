"""Matches a clause with the rules, and makes a memory candidate of it.

- ``rule``: one rule; ``load_rules``: reads those of a language from ``languages/``
- ``apply_rules``: the first rule that matches a clause, and whose checks accept it
- ``checks``: refuse a match that only looks right
- ``build_candidate``: writes what a match says, with its key
"""
