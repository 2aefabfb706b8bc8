"""Extraction: makes candidates of one message, from a model's reply or by rules.

By a model, in the order of the steps:

- ``prompt``: what the model is asked; ``reply_schema``: the form of its reply
- ``model_reply`` reads the reply, and ``grounding`` checks each statement in it, with ``evidence`` in the message
- ``derive_memory_key``, ``resolve_memory_number``, ``model_answer_preferences``: the key of a statement, the memory
  that it is about, and how the person wants to be answered, which are the same by a model and by rules

By rules: the package ``rules``. For both:

- ``previous_messages``: what the messages before say of this one
- ``resolve_relative_date``, ``persona_scope``, ``screen_candidates``: the date of "next Friday", for which persona a
  message is meant, and which candidates may be stored
"""
