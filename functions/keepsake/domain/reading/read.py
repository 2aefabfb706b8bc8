"""Reads a message: what its author states, what they say has changed, and what they want to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.reading.changes.read_changes import ChangeStatement, read_changes
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.previous_messages import PreviousMessage, is_in_role_play
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.is_stated import no_result_reason
from keepsake.domain.reading.statements.other_languages import read_other_language
from keepsake.domain.reading.todos.read_todos import read_todos
from keepsake.domain.reading.todos.todo_statement import TodoStatement

LANGUAGE = "language"
"""The reason why nothing was found in a message that is in none of the languages that are read."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says; ``no_result_reason`` says why there are no candidates, where that is known."""

    candidates: tuple[Candidate, ...]
    """What may be remembered; each with its words in the message and the mechanism that found it (``why``)."""
    changes: tuple[ChangeStatement, ...] = ()
    """What may end, replace or cast doubt on stored memories."""
    todos: tuple[TodoStatement, ...] = ()
    no_result_reason: str | None = None
    is_role_play: bool = False
    """What it says is said by a part that the author plays: nothing of it is theirs."""


def read(
    text: str, *, said_at: datetime, recent: Sequence[Memory] = (), previous: Sequence[PreviousMessage] = ()
) -> Reading:
    """What a message says, without a language model.

    ``recent`` are the memories that this conversation made before, and ``previous`` the messages before it, both newest
    first: they say what "it" is, whom "she" means, and which question is answered.
    """
    if is_in_role_play(text, previous):
        return Reading((), no_result_reason="quoted", is_role_play=True)
    changes = read_changes(text, said_at=said_at, recent=recent)
    todos = read_todos(text)
    if found := tuple(extract(text, recent=recent, previous=previous)) or read_other_language(text):
        return Reading(found, changes, todos)
    return Reading((), changes, todos, LANGUAGE if is_unreadable(text) else no_result_reason(text))
