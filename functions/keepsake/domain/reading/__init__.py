"""Reads a message without a language model: one door for whoever wants to know what a message says.

``read`` gives a ``Reading``: what its author states, what they say has changed, and what they want to do; every part
has the words that say so. The parts have doors of their own, one package each, in the order in which they build on
each other; from outside, only what a package exports is used:

1. ``message``: detects the language, corrects the spelling, masks words that are not the author's own
2. ``clauses``: splits it into single statements and questions in standard words, with the subject that was left out
3. ``statements``: what is to be remembered of a clause, by rules and a classifier, in English and other languages
4. ``changes``: what may end, replace or cast doubt on what is remembered, and ``todos``: what is to be done or was
5. ``commands``: a message to the memory itself, "forget that"; it is looked for before anything else is read

``preload`` loads rules and classifiers before the first message. What
all of them know of English words and grammar, and the files of patterns, are in ``keepsake.domain.english``.
"""

from keepsake.domain.reading.read import LANGUAGE, Reading, read

__all__ = ["LANGUAGE", "Reading", "read"]
