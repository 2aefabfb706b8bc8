"""What several clauses mean together.

- ``join_exceptions``: "vegetarian, but I eat fish" is one statement; ``split_lists``: "pizza and burgers" is two
- ``coreference``: who "she" is
- ``corrections``: what "actually it's ramen" corrects
"""
