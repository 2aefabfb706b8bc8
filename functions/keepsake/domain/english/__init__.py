"""What is known of the English language, and nothing of the product.

- words: ``lemmas`` are those of lemminflect, whose tables ``word_tables`` reads and ``preload`` loads early;
  ``verbs`` and ``nouns`` are their forms; ``misspellings`` are corrected; ``load_word_lists`` reads the lists in
  ``data/``, and ``word_groups`` are those that many rules share
- kinds of words: ``kinship``, ``number_words``, ``calendar_words``, ``words_for_now``
- dates in a text: ``relative_dates``, ``last_day_mentioned``
- statements: ``third_person`` and ``indefinite_article`` write them, ``enumeration`` and ``join_predicates`` join them,
  ``similarity`` compares two, ``complete_statements`` tells which say something by themselves
"""
