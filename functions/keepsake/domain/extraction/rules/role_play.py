"""Recognizes role play that began in an earlier message: what is said in it is not said about oneself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.previous_messages import PreviousMessage
from keepsake.domain.text import normalize_apostrophes

_WORDS = load_alternations("quoted_text")
_BEGINS = re.compile(rf"\b{_WORDS['role_play_begins']}\b", re.IGNORECASE)
_ENDS = re.compile(rf"\b{_WORDS['role_play_ends']}\b", re.IGNORECASE)


def is_in_role_play(message: str, previous: Sequence[PreviousMessage]) -> bool:
    """Whether the author began a role play in one of the messages before, and has not ended it."""
    if _ENDS.search(normalize_apostrophes(message)):
        return False
    for earlier in previous:
        if earlier.role == "user":
            text = normalize_apostrophes(earlier.text)
            if _ENDS.search(text):
                return False
            if _BEGINS.search(text):
                return True
    return False
