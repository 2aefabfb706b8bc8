"""Summaries of a person's days, weeks and months: which periods there are, and what a summary says.

- periods: ``local_days``, ``periods``, those of a ``backfill``, and the one that a message names (``named_period``)
- what they are written from (``sources``): what was ``said``, without what is ``left_out``, and memories
- a day, a week, a month (``summary``): without a model by ``rules_form``, which quotes the person's ``own_words``,
  writes the ``events`` that no quote tells (``readable_statements``, ``phrases``) into sentences
  (``compose_sentences``), and says how often one did ``talk``, in the ``summary_words`` of their language
- by a model: ``prompt`` and ``model_form`` make the request of ``citable`` texts and their ``author``, ``model_reply``
  parses the reply, ``evidence`` checks what it ``cited``, and that it has no ``false_sentences``, a ``review`` asks
  once more for what is not right, ``model_wait`` says when to ask again. ``shared_conversation_day`` is one call for
  several people, ``trial_week`` the week that a model is tried with
- a conversation: ``conversation_plan``, ``conversation_sources``, ``conversation_rules_form``,
  ``conversation_prompt``
- what a first context tells of them: ``recent_periods``
- texts made from summaries: ``six_day_history``, ``merged_context``; and ``comparison`` of a ``compared_month`` with
  the same month of the year before
"""
