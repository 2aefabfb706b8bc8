"""Recognizes that something ends only for a time, or goes on: "the gym is closed today", "I cannot wait"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("for_a_time", __package__)
_PASSING, _FOR_A_TIME, _GOES_ON = (
    re.compile(rf"\b{_WORDS[section]}\b", re.IGNORECASE) for section in ("passing", "for_a_time", "goes_on")
)


def is_for_a_time(words: str) -> bool:
    """Whether words by which something ends say that it is only for a time, or goes on."""
    passing = _PASSING.search(words) is not None and _FOR_A_TIME.search(words) is not None
    return passing or _GOES_ON.search(words) is not None
