"""What several clauses mean together.

- ``join_names``: "Bond. James Bond" is one name
- ``split_lists``: "pizza and burgers" is two
- ``coreference``: who "she" is
- ``notes_of_others``: of whom "retired librarian" is
- ``corrections``: what "actually it's ramen" corrects
"""
