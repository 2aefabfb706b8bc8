"""Compares a month with the same month of the year before, from the two stored summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from keepsake.domain.english.calendar_words import MONTHS
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.rules_form import GENERAL_THEMES
from keepsake.domain.summaries.sentences import compose, fit, in_quotes, listing
from keepsake.domain.summaries.summary import MAX_THEMES

MAX_GROWTH = 1000
"""Characters of the text of a comparison."""

FORM = ReplyForm({"growth": MAX_GROWTH}, {"stayed": MAX_THEMES, "changed": MAX_THEMES, "appeared": MAX_THEMES})
"""What a model answers."""


@dataclass(frozen=True, slots=True)
class MonthInYear:
    """The stored summary of a month."""

    id: UUID
    year: int
    month: int
    version: int
    emotional_summary: str
    cognitive_summary: str
    key_themes: Sequence[str]
    memory_ids: Sequence[UUID]

    @property
    def name(self) -> str:
        """The month with its year: "October 2024"."""
        return f"{MONTHS[self.month - 1]} {self.year}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a person has developed, what stayed, what changed, and what is in the later month only."""

    growth: str
    stayed: Sequence[str] = ()
    changed: Sequence[str] = ()
    appeared: Sequence[str] = ()


def compare_months(earlier: MonthInYear, later: MonthInYear) -> Comparison:
    """The comparison without a model: it lists themes, and quotes both summaries."""
    before, now = _themes(earlier), _themes(later)
    stayed = [now[key] for key in now if key in before]
    appeared = [now[key] for key in now if key not in before]
    former = [before[key] for key in before if key not in now]
    changed = [compose([listing("No longer a theme", map(in_quotes, former))], MAX_GROWTH)] if former else []
    if earlier.emotional_summary != later.emotional_summary:
        changed.append(f"{earlier.name}: {earlier.emotional_summary} {later.name}: {later.emotional_summary}")
    listed = [
        listing(f"New in {later.name}", map(in_quotes, appeared)),
        listing(f"In both {earlier.name} and {later.name}", map(in_quotes, stayed)),
        listing(f"Only in {earlier.name}", map(in_quotes, former)),
    ]
    texts = [f"{one.name}: {one.cognitive_summary}" for one in (earlier, later) if one.cognitive_summary]
    growth = fit([compose(listed, MAX_GROWTH), *texts], MAX_GROWTH)
    return Comparison(growth, stayed, changed[:MAX_THEMES], appeared)


def build_comparison_prompt(earlier: MonthInYear, later: MonthInYear) -> SummaryPrompt:
    """The prompt for a model."""
    return SummaryPrompt("year", FORM, {"earlier": _data(earlier), "later": _data(later)})


def comparison_of(content: Content) -> Comparison:
    """The comparison that a reply makes."""
    fields: dict[str, Any] = dict(content)
    return Comparison(**fields)


def _themes(month: MonthInYear) -> dict[str, str]:
    """The themes that say something: that there were plans or feelings in both years is no comparison."""
    return {theme.casefold(): theme for theme in month.key_themes if theme not in GENERAL_THEMES}


def _data(month: MonthInYear) -> dict[str, Any]:
    return {
        "month": month.name,
        "emotional_summary": month.emotional_summary,
        "cognitive_summary": month.cognitive_summary,
        "key_themes": list(month.key_themes),
    }
