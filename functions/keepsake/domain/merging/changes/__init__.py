"""What a message tells of a change, and what that does to the memories that exist.

``read_change_statements`` reads a message, and its result, a ``change_statement``, is compared with memories by
``find_changes``. Each way to tell a change has a package or a module:

- "moved again", "we broke up": the package ``change_rules``, a rule for each kind of memory
- "said goodbye to Pixel", "three weeks out of nursing": the package ``endings``, whatever it is that has ended
- "handed my apron in": the package ``life_changes``, a classifier for words that no list has
- "Leo just turned 7": ``known_names``, by what memories say of Leo
- "You said I have a dog. That was my cousin, not me": ``denials``

Nothing is read of what was only left lying, or left for a time (``things_left``). ``previous_message`` is what a
pronoun refers to.
What a model says of a change goes through ``apply_model_relations``.
"""
