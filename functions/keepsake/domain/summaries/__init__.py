"""Summaries of a person's days, weeks and months: which periods there are, and what a summary says.

- periods: ``local_days``, ``periods``, those of a ``backfill``, and the one that a message names (``named_period``)
- a day, a week, a month: a ``summary`` is made of its ``sources``; without a model by ``rules_form``, which finds the
  ``events`` and writes their ``phrases`` into sentences (``compose_sentences``)
- by a model: ``prompt`` and ``model_form`` make the request, ``model_reply`` parses the reply, ``evidence`` keeps
  what the sources support, ``model_wait`` says when to ask again. ``shared_conversation_day`` is one call for several
  people
- a conversation: ``conversation_plan``, ``conversation_sources``, ``conversation_rules_form``,
  ``conversation_prompt``
- texts made from summaries: ``six_day_history``, ``merged_context``; and ``comparison`` of a ``compared_month`` with
  the same month of the year before
"""
