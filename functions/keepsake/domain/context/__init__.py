"""Selects the memories that a message needs, and renders the context for the language model.

- What a message asks for: ``query``, ``query_expansion``. What messages and memories are about: ``topics``, found by
  ``phrase_lookup``.
- Which memories are shown: ``scoring`` with ``similarity_baseline``, and ``selection`` within the ``limits``. If a
  person has few memories, ``few_memories`` combines all signals, and ``topic_selection`` finds memories that share no
  word. For the first message of a conversation: ``first_context_selection`` with ``life_topics``.
  ``answer_preferences``: how the person wants to be answered. ``match_reason``: why a memory was selected.
- Other parts of the text: ``identity_line``, ``card_heading``, ``context_sections``. A summary has an
  ``outline`` and is named by a ``summary_ref``; what the context says already
  (``repeated_statements``) is left out, a plan whose day is over is marked (``passed_plans``), and what time has made
  untrue is not told unasked (``unasked_statements``).
- A ``block`` is all that a context may contain. ``fill_with_periods`` gives the room of a first context to
  ``period_texts``, the days, weeks and the month of late, each thing once (``said_words``).
- ``render`` writes the text, and ``escaping`` makes foreign text safe in it.
- ``experiment``: which people get no memories, for comparison.
"""
