"""What a clause says about a to-do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import MemoryType

MAX_TODO_LENGTH = 300
"""Characters of the text of a to-do."""

Effect = Literal["open", "done", "dropped"]


class TodoKind(StrEnum):
    """What a to-do is: something to do, something to do regularly, something undecided, something in the way."""

    COMMITMENT = "commitment"
    HABIT = "habit"
    THREAD = "thread"
    FRICTION = "friction"

    @property
    def memory_type(self) -> MemoryType:
        """The memory type that a person has to allow for this kind."""
        return MemoryType.PATTERN if self in {TodoKind.HABIT, TodoKind.FRICTION} else MemoryType.GOAL


@dataclass(frozen=True, slots=True)
class TodoStatement:
    """What a clause says: it opens a to-do of a kind, or says that something is done or no longer wanted.

    ``text`` is the to-do in the third person, or what was done; ``quote`` the person's words.
    """

    effect: Effect
    text: str
    quote: str
    kind: TodoKind = TodoKind.COMMITMENT
    todo_id: UUID | None = None
    """The open to-do that it is about, where a model names it."""
    due: date | None = None
    """The day that a model gives."""
    is_believed: bool = False
    """Whether a capable model says it: its text keeps its dates."""
