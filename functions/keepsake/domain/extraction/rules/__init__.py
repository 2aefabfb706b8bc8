"""Extraction without a model: what a person states about themselves, found by rules in their own words.

``read_message`` is the entrance: it reads English by ``extract``, and other languages by ``other_languages``; it says
why nothing was found. The way of an English message, a package for each step:

1. ``message``: its language, its spelling, and which of its words are the author's own
2. ``clauses``: single statements in standard words
3. ``across_clauses``: who "she" is, what "actually it's ramen" corrects, lists and exceptions
4. ``matching``: the first rule that fits a clause makes a candidate of it
5. ``clause_reader``: what no rule reads, by its grammar
6. ``statement_classifier``: what neither reads, by the words of its pieces

Below them: ``patterns``, the files of words and patterns, and ``grammar``, the forms of words and phrases. The
rules are in ``languages/``, one folder a language. ``preload`` reads all of them before the first message.

Three modules cut sentences into parts, each for its reader: ``clauses.split_clauses`` into clauses that a rule can
match as a whole; ``clause_reader.split_statements`` also where a subject is missing or a question follows without a
full stop; ``statement_classifier.statement_pieces`` at every joint, with questions as pieces that are marked.

The same rules give a text in the third person its key (``key_of_text``), and tell whether a message states the words
that a model quotes from it (``is_stated``).
"""
