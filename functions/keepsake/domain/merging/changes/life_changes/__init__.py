"""Which memories are over or may have changed: "sold the Fiat", "we broke up", "handed my apron in".

- ``ending_classifier``: whether it plainly says that a memory is over
- ``find_life_changes``: the memories that it means: those that it names (``names_of_memory``), or of that part of life
"""
