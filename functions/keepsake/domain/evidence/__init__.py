"""Evidence: small pure checks of whether a model's statement rests on what a person said, in any language.

Wording is free. What can be checked is checked, each by a function of its own that refuses only what it can tell:

- ``details.detail_error(statement, grounds, named)``: every date, number and proper name stands in the grounds or
  follows from them; ``dates.unsupported_dates``, ``quantities.unsupported_numbers`` and ``names.unsupported_names``
  give the details themselves;
- ``shared_words.shares_word(statement, quote, language)``: the statement is about what its quote is about;
- ``speakers.speaker_error(statement, message, quote, about=…, names=…, language=…)``: it says of nobody what the
  clause says of somebody else;
- ``polarity.has_other_polarity(statement, message, quote, language)``: it is not the negation of the clause.

``grounds.Grounds`` holds the texts that a statement may rest on, each a ``Said(text, on)`` with the day on which it was
said in the person's time zone, from which "tomorrow" and "last week" are reckoned. A text without a day only gives what
it names itself. ``named`` texts of the grounds give names alone. ``language`` is that of the statement (ISO 639-1);
empty means unknown: then every list is asked, and nothing is refused that only grammar could show.

For a sentence of a summary that cites several messages: ``Grounds([Said(text, day) for each cited message], named=known
names, language=…)`` for details; ``speaker_error`` and ``has_other_polarity`` for each cited message, with the message
itself as the quote, where one alone is cited.

- ``details``: dates, numbers and names in one call
- ``dates``: each date stands in the grounds or follows from a day
- ``written_dates``: the dates that a text names, and the last day of them
- ``time_expressions``: the days that "last week" and "on friday" may mean
- ``feasts``: the days of feasts that are named instead of a date
- ``quantities``: each number stands in the grounds, in figures or words
- ``names``: each proper name stands in the grounds
- ``shared_words``: what a statement and its quote have in common
- ``speakers``: of whom the quoted clause is
- ``relatives``: what relative a named person is
- ``polarity``: whether the quoted clause denies
- ``clauses_around``: a message as words, with the clauses around a quote
- ``grounds``: the texts that a statement may rest on
- ``language_words``, ``speaker_words``, ``word_table``: the words of many languages, from ``data/``
- ``text_forms``: letters, words and stems in any script
"""
