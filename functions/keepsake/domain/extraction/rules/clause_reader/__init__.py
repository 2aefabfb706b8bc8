"""Reads clauses that no rule knows by their grammar: who they are about, which verb and tense, whether they last.

- ``split_statements`` cuts a message into statements; ``omitted_subjects`` and ``self_descriptions`` complete those
  that lack "I" ("living in Turin") or a verb ("nurse at St Jude's")
- ``durable_statements`` decides whether a statement lasts, and which kind of memory it is: what somebody is or has by
  ``descriptions``, what happened by ``life_events`` and ``turning_points``, what they never do by ``refusals``
- ``clause_candidate`` writes it in the third person, with a key

The package ``grammar`` tells what is asked of words and phrases.
"""
