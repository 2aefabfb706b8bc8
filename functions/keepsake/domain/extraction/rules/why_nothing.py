"""Says why a message held no statement, so that a turn which made no memory can tell."""

from __future__ import annotations

import re

from keepsake.domain.extraction.rules import clause_filters, normalize
from keepsake.domain.extraction.rules.quoted_text import BLANK, own_words
from keepsake.domain.text import normalize_apostrophes, shorten_runs

MAX_LENGTH = 4_000
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


def why_nothing(text: str) -> str | None:
    """``quoted``, ``supposed``, ``hedged`` or ``asked``: the first that holds; None where nothing else was said."""
    seen = own_words(normalize_apostrophes(shorten_runs(text[:MAX_LENGTH])))
    if BLANK in seen:
        return "quoted"
    reasons = {_of_sentence(match[0]) for match in _SENTENCE.finditer(seen)}
    return next((reason for reason in ("supposed", "hedged", "asked") if reason in reasons), None)


def _of_sentence(sentence: str) -> str | None:
    plain = normalize.canonical(sentence.strip(" \t.!?")).words
    if clause_filters.opens_hypothesis(sentence) or clause_filters.is_unserious(sentence):
        return "supposed"
    if "?" in sentence or clause_filters.asks(plain):
        return "asked"
    return "hedged" if clause_filters.is_hedged(plain) else None
