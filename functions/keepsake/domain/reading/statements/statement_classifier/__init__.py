"""Finds durable facts in what no rule took, by a linear classifier.

``statement_score`` says how much a clause reads as a fact about its author, ``statement_text`` completes it to a
statement, and ``classified_statements`` makes candidates of those that do, which ``statement_candidate`` writes;
``statement_kinds`` says what they are, with a key.
"""
