"""What several clauses mean together.

- ``split_lists``: "a son and a daughter" is two
- ``coreference``: who "she" is
- ``notes_of_others``: of whom "retired librarian" is
- ``corrections``: what "actually it's ramen" corrects
"""
