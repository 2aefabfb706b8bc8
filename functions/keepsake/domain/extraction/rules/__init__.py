"""Extraction without a language model: rules find what people state about themselves in their messages.

Start reading at ``read_message``. It reads English with ``extract`` and other languages with ``other_languages``, and
gives a reason if it finds nothing. An English message goes through these steps, one package each:

1. ``message``: detects the language, corrects the spelling, masks words that are not the author's own
2. ``clauses``: splits it into single statements in standard words
3. ``across_clauses``: resolves who "she" is and what "actually it's ramen" corrects, and reads lists
4. ``matching``: the first rule that fits a clause makes a candidate of it
5. ``clause_reader``: cuts finer, and completes what lacks a subject or a verb, for the rules
6. ``statement_classifier``: judges pieces that no rule reads, by their words and grammar

All of them use ``patterns``, which reads the files of words and patterns, and ``grammar``, the forms of words and
phrases. The rules are in ``languages/``, one folder per language. ``preload`` loads them before the first message.

Three modules split sentences, each for another reader. ``clauses.split_clauses`` makes clauses that a rule can match as
a whole. ``clause_reader.split_statements`` also splits where a subject is missing, or where a question follows without
a full stop. ``statement_classifier.statement_pieces`` splits at every possible place, and marks questions.

The same rules find the key of a text in the third person (``key_of_text``), and whether a message really states the
words that a model quotes from it (``is_stated``).
"""
