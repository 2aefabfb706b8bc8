"""The messages before the one that is read: they say what an answer answers, whom a pronoun means, and who plays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.text import normalize_apostrophes

_WORDS = load_alternations("quoted_text")
_BEGINS = re.compile(rf"\b{_WORDS['role_play_begins']}\b", re.IGNORECASE)
_ENDS = re.compile(rf"\b{_WORDS['role_play_ends']}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PreviousMessage:
    """A message of the author or of the assistant, shortened."""

    role: str
    text: str


def question_before(previous: Sequence[PreviousMessage]) -> str | None:
    """What the assistant said directly before; ``previous`` is newest first."""
    return previous[0].text if previous and previous[0].role == "assistant" else None


def words_before(previous: Sequence[PreviousMessage]) -> str:
    """The author's message before."""
    return next((message.text for message in previous if message.role == "user"), "")


def is_in_role_play(message: str, previous: Sequence[PreviousMessage]) -> bool:
    """Whether the author began a role play in one of the messages before, and has not ended it."""
    if _begins_play(message) is False:
        return False
    turns = (_begins_play(earlier.text) for earlier in previous if earlier.role == "user")
    return next((begins for begins in turns if begins is not None), False)


@lru_cache(maxsize=32)  # asked again by each of the messages after it
def _begins_play(text: str) -> bool | None:
    """Whether a message begins a role play, or ends one (False); None where it does neither."""
    text = normalize_apostrophes(text)
    if _ENDS.search(text):
        return False
    return True if _BEGINS.search(text) else None
