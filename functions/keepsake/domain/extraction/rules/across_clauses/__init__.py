"""What several clauses mean together.

- ``join_exceptions``: "vegetarian, but I eat fish" is one statement; ``join_names``: "Bond. James Bond" is one name
- ``split_lists``: "pizza and burgers" is two
- ``coreference``: who "she" is
- ``corrections``: what "actually it's ramen" corrects
"""
