"""Extraction without a language model: rules find what people state about themselves in their messages.

Start reading at ``read_message``. It reads English with ``extract`` and other languages with ``other_languages``, and
gives a reason if it finds nothing. An English message goes through these steps, one package each:

1. ``message``: detects the language, corrects the spelling, masks words that are not the author's own
2. ``clauses``: splits it into single statements and questions in standard words, with the subject that was left out
3. ``across_clauses``: resolves who "she" is and what "actually it's ramen" corrects, and reads lists
4. ``matching``: the first rule that fits a clause makes a candidate of it
5. ``statement_classifier``: judges clauses that no rule reads, by their words and grammar

All of them use ``patterns``, which reads the files of words and patterns, and ``grammar``, the forms of words and
phrases. The rules are in ``languages/``, one folder per language. ``preload`` loads them before the first message.

The same rules find the key of a text in the third person (``key_of_text``), and whether a message really states the
words that a model quotes from it (``is_stated``).
"""
