"""Whether the text of a statement is a complete one: no half of a sentence, and no rest of one.

A rest has only words that mean nothing by themselves ("20th to the 25th").
"""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.word_forms import CLASSES, verb_form
from keepsake.domain.english.inflection import is_finite, singular
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations, load_sections, load_words
from keepsake.domain.english.word_groups import NUMBERS_AND_TIMES
from keepsake.domain.text import words

_INCOMPLETE = re.compile(load_alternations("complete_statements")["incomplete"])
_GRAMMAR = (load_words("function_words") - {"like", "us"}).union(CLASSES["adverbs"], CLASSES["prepositions"])
_WITHOUT_CONTENT = frozenset(load_sections("complete_statements")["empty"])
_NAMES = "Goes by "
"""Begins what names the author, who may be called May."""


def is_note(text: str) -> bool:
    """Whether a statement of English words has no verb: "Surgery on Tuesday"."""
    found = words(text)
    return any(known_lemmas(word, "NOUN") for word in found) and not any(map(is_finite, found))


def is_complete_statement(text: str) -> bool:
    """Whether a statement in the third person says something by itself."""
    is_rest = not text.startswith(_NAMES) and all(map(_has_no_content, words(text)))
    return not is_rest and _INCOMPLETE.match(text) is None


def _has_no_content(word: str) -> bool:
    form = verb_form(word)
    is_known = word[0].isdigit() or word in _GRAMMAR or word in NUMBERS_AND_TIMES
    return is_known or not _WITHOUT_CONTENT.isdisjoint((word, singular(word), form.lemma if form else word))
