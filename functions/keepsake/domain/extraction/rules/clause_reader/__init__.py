"""Reads clauses that no rule knows by their grammar: who they are about, which verb and tense, whether they last.

``split_statements`` cuts the message, and ``omitted_subjects`` completes what lacks "I". ``verb_phrase`` finds subject,
verb and tense, ``durable_statements`` decides whether it lasts, ``clause_candidate`` writes it down;
``facts_that_ended`` reads what is over.
"""
