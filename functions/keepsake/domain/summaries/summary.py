"""The summaries of a day, a week and a month, as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keepsake.domain.context.outline import Outline

MAX_DAY, MAX_WEEK, MAX_MONTH = 300, 1000, 1800
"""Characters of one text of a summary."""

MAX_FULL_DAY = 500
"""The same of a day on which much was said."""

MAX_FULL_MONTH, MAX_QUOTED_MONTH = 2400, 3000
"""Characters of what a model writes of a month, and of what rules quote."""

MAX_THEMES = 5
"""Themes, patterns and shifts that a summary names at most, of each."""

Outlines = Mapping[str, Outline]
"""The outlines of texts, by the names of the texts; what a model wrote has none."""


@dataclass(frozen=True, slots=True)
class DaySummary:
    """What a day was about."""

    summary: str
    key_themes: Sequence[str]
    outlines: Outlines = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class WeekSummary:
    """What a week was about, and how the person felt."""

    emotional_summary: str
    summary: str
    key_themes: Sequence[str]
    dominant_patterns: Sequence[str]
    energy_shifts: Sequence[str]
    outlines: Outlines = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class MonthSummary:
    """What a month was about, and how the person felt."""

    emotional_summary: str
    cognitive_summary: str
    key_themes: Sequence[str]
    dominant_transits: Sequence[Mapping[str, Any]] | None = None
    """Facts about the sky, for a person with a birth chart."""
    planetary_influences: Sequence[Mapping[str, Any]] | None = None
    outlines: Outlines = field(default_factory=dict, compare=False)


Summary = DaySummary | WeekSummary | MonthSummary
