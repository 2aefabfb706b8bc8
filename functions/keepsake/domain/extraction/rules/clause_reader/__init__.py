"""Reads clauses that no rule fits by their grammar: subject, verb, tense, and whether the statement stays true.

- ``split_statements`` cuts a message into statements; ``omitted_subjects`` and ``self_descriptions`` complete those
  that lack "I" ("living in Turin") or a verb ("nurse at St Jude's")
- ``durable_statements`` decides whether a statement stays true, and which kind of memory it is: what somebody is or has
  (``descriptions``), what happened (``life_events``, ``turning_points``), what they never do (``refusals``)
- ``clause_candidate`` writes it in the third person, with a key

The package ``grammar`` knows the forms and classes of words and phrases.
"""
