"""What a change that a message tells of does to the memories that exist.

``find_changes`` compares what ``keepsake.domain.reading.changes`` read with memories. That something is over or has
changed is told by two classifiers, whatever it is (``life_changes``). Beside them:

- "our baby is here": ``births``, by what memories say of whose child it is
- "Leo just turned 7": ``known_names``, by what memories say of Leo
- "You said I have a dog. That was my cousin, not me": ``denials``

What a model says of a change goes through ``apply_model_relations``.
"""
