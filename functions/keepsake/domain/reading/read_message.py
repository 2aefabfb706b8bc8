"""Reads one message with the rules: its candidates, or the reason why there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.reading.message.previous_messages import PreviousMessage, is_in_role_play
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.reading.statements.other_languages import read_other_language
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.text import normalize_apostrophes, shorten_runs

LANGUAGE = "language"
"""The reason why nothing was found in a message that is in none of the languages that are read."""
_MAX_LENGTH = 4_000
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True, slots=True)
class Reading:
    """The candidates of a message; ``no_result_reason`` says why there are none, where that is known."""

    candidates: tuple[Candidate, ...]
    no_result_reason: str | None = None
    is_role_play: bool = False
    """What it says is said by a part that the author plays."""


def read_message(text: str, *, recent: Sequence[Memory] = (), previous: Sequence[PreviousMessage] = ()) -> Reading:
    """The candidates of a message, or the reason why there are none."""
    if is_in_role_play(text, previous):
        return Reading((), "quoted", is_role_play=True)
    found = tuple(extract(text, recent=recent, previous=previous)) or read_other_language(text)
    if found:
        return Reading(found)
    return Reading((), LANGUAGE if is_unreadable(text) else no_result_reason(text))


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
