"""Finds durable facts in what no rule took, by a linear classifier.

``statement_score`` says how much a clause reads as a fact about its author, ``statement_text`` completes it to a
statement, ``statement_guards`` refuses what is of the moment, and ``classified_statements`` makes candidates of the
others, which ``statement_candidate`` writes, with a key.
"""
