"""What becomes of one message: proposals by a model or by rules, merged with what is remembered.

- ``proposals``: what rules or a model find in a message. ``model_request`` says whether a model may be asked and with
  what, ``chart_of_day`` adds the birth chart, ``ask_model`` asks, and lets the rules read where the model is away
- ``read_life_changes`` adds changes that a classifier finds
- ``merge_proposal`` screens, decides and writes; ``affected_by_changes`` and ``link_entities`` are steps of it, and
  ``record_todos`` comes before it
- ``result``: what callers are told
"""
