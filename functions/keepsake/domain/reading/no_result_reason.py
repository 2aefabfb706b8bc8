"""Says why nothing was found in a message."""

from __future__ import annotations

import re

from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.text import normalize_apostrophes, shorten_runs

_MAX_LENGTH = 4_000
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


def no_result_reason(text: str) -> str | None:
    """``secret``, ``quoted``, ``supposed``, ``hedged`` or ``asked``, the first that applies; None where none does."""
    if find_secrets(text):
        return "secret"
    masked = mask_quoted_text(normalize_apostrophes(shorten_runs(text[:_MAX_LENGTH])))
    if MASK in masked:
        return "quoted"
    reasons = {_reason_of_sentence(match[0]) for match in _SENTENCE.finditer(masked)}
    return next((reason for reason in ("supposed", "hedged", "asked") if reason in reasons), None)


def _reason_of_sentence(sentence: str) -> str | None:
    words = normalize_clause(sentence.strip(" \t.!?")).words
    if clause_filters.is_hypothesis(sentence) or clause_filters.is_joking(sentence):
        return "supposed"
    if "?" in sentence or clause_filters.is_question_or_request(words):
        return "asked"
    return "hedged" if clause_filters.is_hedged(words) else None
