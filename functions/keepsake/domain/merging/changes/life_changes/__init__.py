"""Which memories are over or may have changed: "sold the Fiat", "we broke up", "handed my apron in".

- ``find_life_changes``: the memories that a sentence means, which it names (``names_of_memory``), and not those that
  only share a word with it (``other_things``), or which are of the part of life that has changed
- ``ending_classifier``: whether it plainly says that a memory is over
"""
