"""A session, what its summary is written from, and the summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.todos.todo import TodoKind

PAUSE = timedelta(minutes=30)
"""A session ends where nothing is said for this long."""
REFRESH_EVERY = 4
"""Messages after which the rolling summary is written again."""
MAX_ROLLING = 600
"""Characters of a rolling summary."""


@dataclass(frozen=True, slots=True)
class SourceTodo:
    """A to-do that was opened in a session."""

    id: UUID
    kind: TodoKind
    text: str
    status: str


@dataclass(frozen=True, slots=True)
class SessionSources:
    """What was remembered in a period with a persona, oldest first, and the to-dos that were opened."""

    memories: Sequence[SourceMemory]
    todos: Sequence[SourceTodo] = ()

    @property
    def source_ids(self) -> list[UUID]:
        """The memories and to-dos."""
        return [*(memory.id for memory in self.memories), *(todo.id for todo in self.todos)]


def screen_todos(todos: Sequence[SourceTodo]) -> list[SourceTodo]:
    """The to-dos that a summary may mention: people edit them directly, so that they are screened here."""
    return [todo for todo in todos if rejection_of_text(todo.text) is None]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What a session was about, by the fields of the stored row."""

    one_liner: str
    what_mattered: Sequence[str] = ()
    open_loops: Sequence[str] = ()
    commitments: Sequence[str] = ()
    people: Sequence[str] = ()
    tone: str = ""


@dataclass(frozen=True, slots=True)
class LastSession:
    """The summary of the newest session, as a context shows it."""

    ended_at: datetime
    summary: SessionSummary
    generator: str = "rules"
