"""Extracts one message: gets proposals from a model or from rules, and merges them with the memories.

- ``proposals``: what rules or a model find in a message. ``model_request`` says whether a model may be asked, and what;
  ``chart_of_day`` adds the birth chart; ``ask_model`` asks, and uses the rules if the model is unavailable
- ``read_life_changes`` adds changes that a classifier finds
- ``merge_proposal`` screens, decides and writes; ``affected_by_changes``, ``write_decisions`` and ``link_entities`` are
  steps of it, and ``record_todos`` comes before it
- ``result``: the result for callers
"""
