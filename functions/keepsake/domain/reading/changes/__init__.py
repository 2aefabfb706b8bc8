"""Reads what a message says of a change: "sold the Fiat", "our baby is here", "that was my cousin, not me".

``read_changes`` gives a ``change_statement`` for each clause or sentence; what it does to the memories that exist is
decided in ``keepsake.domain.merging.changes``.

- ``life_changes``: which parts of life a sentence changes, by the words that ``life_change_classifier`` weighs;
  ``life_sentences``: which sentences may tell it, not what is for a time or was only left lying
- ``births``: a child was born, and whose; ``denials``: what the author denies of what the assistant says of them
"""

from keepsake.domain.reading.changes.births import Birth
from keepsake.domain.reading.changes.change_statement import ChangeStatement, first_name
from keepsake.domain.reading.changes.life_change_classifier import BIAS, MIN_PROBABILITY, stems_of
from keepsake.domain.reading.changes.life_sentences import begins_with_another
from keepsake.domain.reading.changes.read_changes import has_word_of_change

__all__ = [
    "BIAS",
    "MIN_PROBABILITY",
    "Birth",
    "ChangeStatement",
    "begins_with_another",
    "first_name",
    "has_word_of_change",
    "stems_of",
]
