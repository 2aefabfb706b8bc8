"""The messages before the one that is read: they say what an answer answers, whom a pronoun means, and who plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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
