"""What a change that a message tells of does to the memories that exist.

``find_changes`` compares what ``keepsake.domain.reading.changes`` read with memories:

- ``life_changes``: which are over or may have changed: "sold the Fiat", "we broke up", "handed my apron in". They are
  those that it names, or of the part of life that has changed
- ``known_people``: "our baby is here", "Leo just turned 7", by what memories say of whose child it is, and of Leo
- a denial: "You said I have a dog. That was my cousin, not me"
"""
