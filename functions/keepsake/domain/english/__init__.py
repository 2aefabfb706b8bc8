"""English words, dates and sentences; knows nothing of the product.

- words: ``lemmas`` come from lemminflect, whose tables ``word_tables`` reads; ``verbs`` and ``nouns`` are their forms,
  ``grammar`` reads phrases, and ``phrase_slugs`` makes keys of them;
  ``load_word_lists`` reads the lists in ``data/``, ``patterns`` the files of rules and patterns, and
  ``classifier_weights`` the weights of trained classifiers; ``word_groups`` are lists that many share
- kinds of words: ``kinship``, ``number_words``, ``calendar_words``
- dates in a text: ``relative_dates``, ``last_day_mentioned``, and whether they are past: ``past_tense``
- statements: ``third_person`` and ``indefinite_article`` write them, ``join_predicates`` joins them,
  ``similarity`` compares two, ``complete_statements`` finds those that make sense without their context
"""
