"""An open to-do as a context shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

_SCREENED = frozenset({"llm_extraction", "rule_extraction"})


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
