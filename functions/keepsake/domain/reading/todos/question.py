"""Recognizes the question what a person wanted to do: "what did I want to do?", "what's on my to-do list?"."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.text import normalize_apostrophes

_MAX_LENGTH = 200
"""Characters of a message that may be such a question; a longer one says more than that."""

_QUESTION = re.compile(rf"\b{load_alternations('words', __package__)['questions']}", re.IGNORECASE)


def asks_for_todos(text: str) -> bool:
    """Whether the message asks what its author wanted to do."""
    if len(text) > _MAX_LENGTH:
        return False
    return _QUESTION.search(" ".join(normalize_apostrophes(text).split())) is not None
