"""Which memories a message needs, and the text that tells the model of them.

- what a message asks for: ``query``, ``query_expansion``, ``general_question``; its ``topics`` by ``phrase_lookup``
- which memories: ``scoring`` with ``similarity_baseline``, ``selection`` within the ``limits``; where a person has few,
  ``few_memories`` by all signals together, and ``topic_selection`` where no word is shared; for a conversation's first
  message ``first_context_selection`` with ``life_topics``; ``answer_preferences``; ``match_reason`` tells why
- what the text says beside memories: ``identity_line``, ``card_heading``, ``context_sections``, whose summaries come
  with an ``outline`` and lose what ``repeated_statements`` finds elsewhere
- ``render`` writes the text, with what others wrote by ``escaping``
- ``experiment``: who gets no memories, for comparison
"""
