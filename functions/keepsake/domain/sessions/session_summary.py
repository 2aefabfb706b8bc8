"""A session, what its summary is written from, and the summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.reading.todos import TodoKind
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import Background, SourceMemory

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
    """What was said and remembered in a period with a persona, oldest first, and the to-dos that were opened."""

    memories: Sequence[SourceMemory] = ()
    todos: Sequence[SourceTodo] = ()
    messages: Sequence[SaidMessage] = ()
    notes: Sequence[Citable] = ()
    """The summaries of the newest sessions, for the spine."""
    background: Background = field(default_factory=Background, compare=False)

    @property
    def has_something(self) -> bool:
        """Whether anything was said or remembered."""
        return bool(self.memories or self.todos or self.messages)

    @property
    def source_ids(self) -> list[UUID]:
        """The memories and to-dos, and the memories that the messages became."""
        ids = [*(memory.id for memory in self.memories), *(todo.id for todo in self.todos)]
        return list(dict.fromkeys([*ids, *(memory_id for one in self.messages for memory_id in one.memory_ids)]))

    @property
    def message_ids(self) -> list[UUID]:
        """The messages that were said."""
        return [one.id for one in self.messages]


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
    refs: tuple[SummaryRef, ...] = ()
    """Its row."""
