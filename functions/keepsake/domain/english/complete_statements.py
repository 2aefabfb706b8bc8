"""Whether the text of a statement is a complete one: no half of a sentence, and no rest of one.

A rest has only words that mean nothing by themselves ("20th to the 25th").
"""

from __future__ import annotations

import re

from keepsake.domain.english.inflection import is_finite
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.text import words

_INCOMPLETE = re.compile(load_alternations("complete_statements")["incomplete"])
_WITHOUT_CONTENT = frozenset(load_sections("complete_statements")["empty"])
_NAMES = "Goes by "
"""Begins what names the author, who may be called May."""


def is_note(text: str) -> bool:
    """Whether a statement of English words has no verb: "Surgery on Tuesday"."""
    found = words(text)
    return any(known_lemmas(word, "NOUN") for word in found) and not any(map(is_finite, found))


def is_complete_statement(text: str) -> bool:
    """Whether a statement in the third person says something by itself."""
    is_rest = not text.startswith(_NAMES) and all(word[0].isdigit() or word in _WITHOUT_CONTENT for word in words(text))
    return not is_rest and _INCOMPLETE.match(text) is None
