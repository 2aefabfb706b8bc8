"""Extraction: turns one message into memory candidates, with a language model or by rules.

With a model, in the order of the steps:

- ``shorten_message``: the part of a long message that fits a model's window
- ``prompt``: the request to the model, in which ``prompt_room`` limits memories; ``reply_schema``: the reply's format
- ``model_reply`` parses the reply, and ``member_fields`` the fields of a memory; ``grounding`` checks that the message
  has ``evidence`` for each statement
- of a capable model: ``believed_member`` makes the memory, held to the ``contract``; ``believed_relation`` says what it
  does to which known memory, ``believed_forget`` which memories are to be forgotten
- ``attributes``: their names and how many values they have; ``precise_statements``: what rules say beside a model
- ``derive_memory_key``: the key of a statement; ``resolve_memory_number``: the memory that a number refers to;
  ``model_answer_preferences``: how the person wants to be answered. The results are the same as those of the rules.
- ``verdict``: how good a model is, on which depends how strict the check is; ``trial_turns`` and ``judge_model`` find
  it out, for one ``prompt_version``

Without one, ``keepsake.domain.reading`` reads the message. For both:

- ``query_languages``: by which stems a message is searched with
- ``resolve_relative_date``: the date of "next Friday"; ``period_of_text``: the day or month that a text names
- ``persona_scope``: the persona for which a message is meant; ``screen_candidates``: which candidates may be stored
"""
