"""What a message tells of a change, and what that does to the memories that exist.

``read_change_statements`` reads a message, and its result, a ``change_statement``, is compared with memories by
``find_changes``. That something is over or has changed is told by two classifiers, whatever it is (``life_changes``).
Beside them:

- "our baby is here": ``births``, by what memories say of whose child it is
- "Leo just turned 7": ``known_names``, by what memories say of Leo
- "You said I have a dog. That was my cousin, not me": ``denials``

Nothing is read of what was only left lying, or left for a time (``things_left``). ``previous_message`` is what a
pronoun refers to. What a model says of a change goes through ``apply_model_relations``.
"""
