"""English words, dates and sentences; knows nothing of the product.

- words: ``lemmas`` looks their forms up, ``inflection`` are their base forms for keys and third persons for texts,
  ``grammar`` reads phrases, and ``phrase_slugs`` makes keys of them; ``classifiers`` are weights and features of words
- lists and rules: ``load_word_lists`` reads the lists in ``data/``, ``patterns`` the files of rules and patterns;
  ``word_groups`` are lists that many share, ``kinship`` is the table of relations
- ``dates``: relative ones in a text, and what they mean on a day
- statements: ``third_person`` writes them, ``join_predicates`` joins them, ``similarity`` compares two,
  ``complete_statements`` finds those that make sense without their context
"""
