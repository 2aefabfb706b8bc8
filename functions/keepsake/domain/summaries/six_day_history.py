"""The history of a person: what the six days before the current one were about, as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from uuid import UUID

from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.compose_sentences import fit_outlines, full_date, weekday_and_date
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.text import hash_texts

MAX_HISTORY = 500
"""Characters of a history that shortens its days."""

_MAX_DAYS = 650
"""Characters of days that stay as they are: a model that shortens them by a quarter costs more than it saves."""

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
    message_ids: Sequence[UUID] = ()
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
    def is_short(self) -> bool:
        """Whether the days stay as they are: then a model is not asked."""
        return len(_join(self).text) <= _MAX_DAYS

    @property
    def message_ids(self) -> list[UUID]:
        """The messages that the days rest on, each once."""
        return list(dict.fromkeys(message_id for one in self.days for message_id in one.message_ids))

    @property
    def memory_ids(self) -> list[UUID]:
        """The memories whose words may occur in the history, each once."""
        return list(dict.fromkeys(memory_id for one in self.days for memory_id in one.memory_ids))


def history_dates(today: date) -> tuple[date, date]:
    """The first and the last day of today's history: days 2 to 7, counted backward from today."""
    return today - timedelta(days=_DAYS), today - timedelta(days=1)


def write_history(sources: HistorySources) -> Outline:
    """The history without a model: the days, each with its date."""
    return fit_outlines(_join(sources).parts, _MAX_DAYS if sources.is_short else MAX_HISTORY) or Outline()


def _join(sources: HistorySources) -> Outline:
    return Outline(
        parts=[
            replace(one.outline or Outline.of_text(one.text), heading=f"{weekday_and_date(one.day)}:")
            for one in sources.days
        ]
    )


def build_history_prompt(sources: HistorySources, author: Author | None) -> SummaryPrompt:
    """The prompt for a model; ``author`` is the person, where their name may be shown."""
    days = [
        Citable(
            one.text,
            day=full_date(one.day),
            on=one.day,
            kind="day",
            message_ids=tuple(one.message_ids),
            memory_ids=tuple(one.memory_ids),
            row_id=one.id,
        )
        for one in sources.days
    ]
    return SummaryPrompt.of("history", FORM, days, author=author)
