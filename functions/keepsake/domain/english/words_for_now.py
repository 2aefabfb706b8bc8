"""Finds "now" and the like at the end of a statement, which only say that it is so when it is said."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LIMITS = ("until", "by", "for", "from", "just", "even", "till", "right")
"""After these words "now" is no word of time that can be left out."""


def present_words_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern of these words, with the space before them, at the end of a statement or before a comma."""
    limits = "".join(f"(?<!{limit})" for limit in _LIMITS)
    return re.compile(rf"{limits} (?:{'|'.join(map(re.escape, words))})(?=,|$)", re.IGNORECASE)
