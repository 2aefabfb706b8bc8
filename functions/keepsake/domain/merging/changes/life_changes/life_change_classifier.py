"""Tells which part of its author's life a sentence says has changed, by its words and by the layers of a model.

It stands beside the rules for changes, which know whole phrases: what is told by a picture has none of them ("handed my
apron in"). Words are always there; scores by layers are where the process has the model, and both are added.
``bench/training/change_model.py`` trains the weights of both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from keepsake.domain.merging.changes.life_changes.life_change_words import word_scores

MIN_PROBABILITY = 0.5
"""The least probability with which a sentence tells a change."""

_NO_CHANGE = "none"


def changed_parts(sentence: str, layer_scores: Mapping[str, float] | None = None) -> Mapping[str, float]:
    """The probability of each part of life that it has changed; empty where it is likely that none has."""
    scores = word_scores(sentence)
    for part, score in (layer_scores or {}).items():
        scores[part] += score
    greatest = max(scores.values())
    odds = {part: math.exp(score - greatest) for part, score in scores.items()}
    total = sum(odds.values())
    if odds.pop(_NO_CHANGE) > (1 - MIN_PROBABILITY) * total:
        return {}
    return {part: share / total for part, share in odds.items()}
