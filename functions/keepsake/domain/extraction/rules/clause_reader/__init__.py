"""Reads clauses that no rule knows by their grammar: who they are about, which verb and tense, whether they last."""
