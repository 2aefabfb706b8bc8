"""A to-do of a person that is open, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from keepsake.domain.reading.todos import TodoKind

MAX_OPEN_TODOS = 100
"""Open to-dos of a persona that a message is compared with, the newest."""

OPEN_AFTER_DUE = timedelta(days=30)
"""How long a to-do stays relevant after its day; contexts leave out what was due before (`sql/todos.sql`)."""
OPEN_WITHOUT_DAY = timedelta(days=90)
"""How long one that names no day stays relevant after it was said."""

_SCREENED = frozenset({"llm_extraction", "rule_extraction"})


@dataclass(frozen=True, slots=True)
class OpenTodo:
    """A to-do that is open."""

    id: UUID
    kind: TodoKind
    text: str
    due_date: date | None = None


@dataclass(frozen=True, slots=True)
class ContextTodo:
    """An open to-do for a context."""

    kind: str
    opened_at: datetime
    text: str
    source: str
    due_date: date | None = None

    @property
    def is_screened(self) -> bool:
        """Whether its text was screened; what the person wrote was not."""
        return self.source in _SCREENED
