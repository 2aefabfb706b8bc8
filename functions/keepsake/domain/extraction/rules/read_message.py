"""Reads one message with the rules: its candidates, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.extraction.previous_messages import PreviousMessage
from keepsake.domain.extraction.rules.extract import extract
from keepsake.domain.extraction.rules.language import is_unreadable
from keepsake.domain.extraction.rules.no_result_reason import no_result_reason
from keepsake.domain.extraction.rules.other_languages import read_other_language
from keepsake.domain.extraction.rules.role_play import is_in_role_play
from keepsake.domain.memory import Candidate, Memory

LANGUAGE = "language"
"""The reason why nothing was found in a message that is in none of the languages that are read."""


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
