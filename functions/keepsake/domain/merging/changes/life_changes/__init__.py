"""That something is over or has changed, whatever it is: "sold the Fiat", "we broke up", "handed my apron in".

- ``life_sentences``: the sentences of a message that may tell it, not what is for a time (``for_a_time``)
- ``life_change_classifier``: which part of life a sentence changes
- ``ending_classifier``: whether it plainly says that a memory is over
- ``find_life_changes``: the memories that it means, which it names (``names_of_memory``), and not those that only share
  a word with it (``other_things``), or which are of that part of life
"""
