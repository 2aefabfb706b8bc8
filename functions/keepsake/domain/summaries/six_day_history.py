"""The history of a person: what the six days before the current one were about, as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from uuid import UUID

from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.compose_sentences import fit_outlines, weekday_and_date
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.text import hash_texts

MAX_HISTORY = 500
"""Characters of a history."""

FORM = ReplyForm({"summary": MAX_HISTORY}, {})
"""What a model answers."""

_DAYS = 6


@dataclass(frozen=True, slots=True)
class PastDay:
    """The stored summary of a day, and the memories whose words may occur in it."""

    id: UUID
    day: date
    text: str
    memory_ids: Sequence[UUID] = ()
    outline: Outline | None = None
    """Its sentences, where it was written without a model."""


@dataclass(frozen=True, slots=True)
class HistorySources:
    """The days that a history is written from, oldest first; days without a stored summary are left out."""

    start: date
    end: date
    days: Sequence[PastDay] = ()

    @property
    def days_hash(self) -> str:
        """The same for the same texts of the same days."""
        return hash_texts([f"{one.day}: {one.text}" for one in self.days])

    @property
    def memory_ids(self) -> list[UUID]:
        """The memories whose words may occur in the history, each once."""
        return list(dict.fromkeys(memory_id for one in self.days for memory_id in one.memory_ids))


def history_dates(today: date) -> tuple[date, date]:
    """The first and the last day of today's history: days 2 to 7, counted backward from today."""
    return today - timedelta(days=_DAYS), today - timedelta(days=1)


def write_history(sources: HistorySources) -> Outline:
    """The history without a model: the days, each with its date."""
    days = [
        replace(one.outline or Outline.of_text(one.text), heading=f"{weekday_and_date(one.day)}:")
        for one in sources.days
    ]
    return fit_outlines(days, MAX_HISTORY) or Outline()


def build_history_prompt(sources: HistorySources, name: str | None) -> SummaryPrompt:
    """The prompt for a model; ``name`` is the person's, where it may be shown."""
    days = [{"day": weekday_and_date(one.day), "summary": one.text} for one in sources.days]
    return SummaryPrompt.for_person(name, "history", FORM, days=days)
