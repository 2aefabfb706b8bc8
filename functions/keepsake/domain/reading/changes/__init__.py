"""Reads what a message says of a change: "sold the Fiat", "our baby is here", "that was my cousin, not me".

``read_changes`` gives a ``change_statement`` for each clause or sentence: of a birth, a denial, a joke, or of somebody
known by name. What it does to the memories that exist is decided in ``keepsake.domain.merging.changes``.
``life_changes`` says which parts of life a sentence changes, by the words that ``life_change_classifier`` weighs.
"""

from keepsake.domain.reading.changes.change_statement import Birth, ChangeStatement, first_name
from keepsake.domain.reading.changes.life_change_classifier import BIAS, MIN_PROBABILITY, stems_of
from keepsake.domain.reading.changes.life_changes import begins_with_another
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
