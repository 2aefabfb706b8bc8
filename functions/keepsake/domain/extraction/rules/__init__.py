"""Extraction without a model: what a person states about themselves, found by rules in their own words.

``read_message`` is the entrance: it reads English by ``extract`` and other languages by ``other_languages``, and says
why nothing was found. The way of a message through ``extract``:

- ``language``: whether English rules can read it; ``answered_questions``: "yeah peanuts" after a question is a
  statement
- ``normalize_message``, ``quoted_text``, ``sentences``: standard spelling, and what chat writers leave out; what is
  not the author's is masked; sentences, and whether they ask, with ``run_on_sentences`` where no full stop ends them
- ``split_clauses``: single statements, without what ``clause_filters`` and ``trailing_remarks`` recognize as no
  statement; ``introductions`` and ``embedded_statements`` are statements inside others; ``normalize_clause``:
  standard words; ``join_exceptions``: "vegetarian, but I eat fish" is one statement
- ``apply_rules``: the first rule that fits a clause, and whose ``checks``, ``name_checks`` and ``habit_checks``
  accept it; ``build_candidate`` with ``phrase_slugs`` and ``circumstances`` writes what it says, with its key
- ``coreference``, ``corrections``, ``split_lists``: who "she" is, "actually it's ramen", several things in one clause
- ``clause_reader``: what no rule reads, by its grammar
- ``statement_classifier``: what neither reads, by the words of its pieces

Three modules cut ``sentences`` into parts, each for its reader: ``split_clauses`` into clauses that a rule can match
as a whole; ``clause_reader.split_statements`` also where a subject is missing or a question follows without a full
stop; ``statement_classifier.statement_pieces`` at every joint, with questions as pieces that are marked.

The rules: ``rule`` is one, and ``load_rules`` reads those of a language from ``languages/``, as ``rule_table`` and
``pattern_file`` read any table, in the ``pattern_language``. ``preload`` reads all of them before the first message.

The same rules give a text in the third person its key (``key_of_text``), and tell whether a message states the words
that a model quotes from it (``is_stated``).
"""
