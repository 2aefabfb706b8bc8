"""Whether the text of a statement is a complete one: no half of a sentence, and no good wish ("Have a great day")."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("complete_statements")
_INCOMPLETE = re.compile(_WORDS["incomplete"])
_FAREWELL = re.compile(rf"\W{{0,4}}{_WORDS['farewell']}", re.IGNORECASE)


def is_complete_statement(text: str, quote: str) -> bool:
    """Whether a statement in the third person, made of these words of a message, says something by itself."""
    return _INCOMPLETE.match(text) is None and _FAREWELL.match(quote) is None
