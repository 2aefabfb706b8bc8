"""What a message tells of a change, and what that does to the memories that exist.

``read_change_statements`` reads a message, and its result, a ``change_statement``, is compared with memories by
``find_changes``. Each way to tell a change has a module, or two:

- "moved again", "we broke up": ``match_change_rules`` with the rules of ``load_change_rules``, and ``change_targets``
- "said goodbye to Pixel", "no more keto": ``ending_phrases`` reads what has ended, also ``facts_that_ended`` of the
  clause reader, by grammar; ``change_targets`` finds it
- "three weeks out of nursing": ``named_changes`` looks in the sentence for what names a memory (``names_of_memory``)
- "the visa came": ``awaited_events``; "I've got a new boss": ``successors``
- "got a Yaris instead": ``contrasted_values``; "Brighton not Bristol": ``corrected_values``
- "Leo just turned 7": ``known_names``, by what memories say of Leo
- "handed my apron in": ``life_sentences`` chooses sentences, ``life_change_classifier`` with ``life_change_words``
  says which part of life they change, and ``life_changes`` finds the memories of that part

``change_words`` are the words that several of these share, ``previous_message`` is what a pronoun refers to. What a
model says of a change goes through ``apply_model_relations``.
"""
