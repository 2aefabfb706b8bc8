"""Reads what a message says of a change: "sold the Fiat", "our baby is here", "that was my cousin, not me".

``read_changes`` gives a ``ChangeStatement`` for each clause or sentence: of a birth, a denial, a joke, of somebody
known by name, or of the parts of a life that change by the words that ``life_change_classifier`` weighs. What it does
to the memories that exist is decided in ``keepsake.domain.merging.changes``.
"""

from keepsake.domain.reading.changes.life_change_classifier import BIAS, MIN_PROBABILITY, stems_of
from keepsake.domain.reading.changes.read_changes import ChangeStatement, begins_with_another, may_be_change

__all__ = ["BIAS", "MIN_PROBABILITY", "ChangeStatement", "begins_with_another", "may_be_change", "stems_of"]
