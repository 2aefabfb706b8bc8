"""The words that tell of a change: without one, a message changes only what its statements touch."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.rules.language import is_unreadable
from keepsake.domain.text import normalize_apostrophes

WORD_OF_CHANGE = re.compile(rf"\b{load_alternations('change_words', __package__)['change_words']}\b", re.IGNORECASE)


def has_word_of_change(text: str) -> bool:
    """Whether a message has a word of change; True where it is not in English, so that this cannot be told."""
    return is_unreadable(text) or WORD_OF_CHANGE.search(normalize_apostrophes(text)) is not None
