"""Changes told in words that no rule knows ("handed my apron in"), by the part of life that they change.

- ``life_sentences``: the sentences of a message that may tell one
- ``life_change_classifier``: which part of life a sentence changes
- ``find_life_changes``: the memories of that part
"""
