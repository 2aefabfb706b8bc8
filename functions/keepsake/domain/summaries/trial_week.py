"""The fixed week that a model is tried with: its prompt, and how much of it a summary tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from uuid import UUID

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.model_form import build_prompt
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SummarySources

_MONDAY = date(2026, 3, 2)


@dataclass(frozen=True, slots=True)
class TrialWeek:
    """What was said in the week, by whom, and the words of what a summary must tell."""

    sources: SummarySources
    person: str
    expected: Sequence[Sequence[str]]

    def prompt(self, *, budget: int) -> SummaryPrompt:
        """The prompt for the summary, with at most ``budget`` characters of messages."""
        return build_prompt(Period(Level.WEEK, _MONDAY), self.sources, Author(self.person), budget=budget)

    def count_events(self, content: Content) -> int:
        """How much of what must be told stands in some sentence."""
        said = [one.text.casefold() for sentences in content.values() for one in sentences]
        return sum(
            any(all(any(word in text for word in words.split("|")) for words in event) for text in said)
            for event in self.expected
        )


@cache
def trial_week() -> TrialWeek:
    """The week, as its file has it."""
    read = read_toml("data/trial_week.toml", __package__)
    messages = [
        SaidMessage(UUID(int=number), UUID(int=0), _moment(row["day"], row["at"]), row["text"])
        for number, row in enumerate(read["messages"], 1)
    ]
    return TrialWeek(SummarySources(said=messages), read["person"], read["expect"])


def _moment(day: int, at: str) -> datetime:
    return datetime.combine(_MONDAY + timedelta(days=day), time.fromisoformat(at), UTC)
