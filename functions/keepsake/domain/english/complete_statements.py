"""Whether the text of a statement is a complete one: no half of a sentence, no rest of one, and no good wish.

A rest has only words that mean nothing by themselves ("20th to the 25th"), a wish is "Have a great day".
"""

from __future__ import annotations

import re

from keepsake.domain.english.inflection import is_finite
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.text import words

_WORDS = load_alternations("complete_statements")
_INCOMPLETE = re.compile(_WORDS["incomplete"])
_WITHOUT_CONTENT = re.compile(_WORDS["empty"])
_NAMES = "Goes by "
"""Begins what names the author, who may be called May."""
_FAREWELL = re.compile(rf"\W{{0,4}}{_WORDS['farewell']}", re.IGNORECASE)


def is_note(text: str) -> bool:
    """Whether a statement of English words has no verb: "Surgery on Tuesday"."""
    found = words(text)
    return any(known_lemmas(word, "NOUN") for word in found) and not any(map(is_finite, found))


def is_complete_statement(text: str, quote: str) -> bool:
    """Whether a statement in the third person, made of these words of a message, says something by itself."""
    is_rest = not text.startswith(_NAMES) and all(map(_WITHOUT_CONTENT.fullmatch, words(text)))
    return not is_rest and _INCOMPLETE.match(text) is None and _FAREWELL.match(quote) is None
