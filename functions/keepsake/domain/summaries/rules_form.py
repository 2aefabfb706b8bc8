"""Writes summaries without a model: what is new, what changed and when, whom it was about, feelings and plans.

The same sources give the same text. Every name, number and statement in it comes from a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.memory import Subtype
from keepsake.domain.summaries import sentences
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.sentences import DateWords, Sentence, day_of_month, listing, weekday
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import (
    MAX_DAY,
    MAX_MONTH,
    MAX_THEMES,
    MAX_WEEK,
    DaySummary,
    MonthSummary,
    Summary,
    WeekSummary,
)

_THEMES = {
    Subtype.PREFERENCE: "tastes",
    Subtype.HABIT: "habits",
    Subtype.FRICTION: "difficulties",
    Subtype.RELATIONSHIP: "people",
    Subtype.POSSESSION: "belongings",
    Subtype.EVENT: "events",
    Subtype.FEELING: "feelings",
}
_MIN_IMPORTANCE = 2


def write_summary(level: Level, sources: SummarySources) -> Summary:
    """The summary of a period of this length."""
    match level:
        case Level.DAY:
            return _day(sources)
        case Level.WEEK:
            return _week(sources)
        case Level.MONTH:
            return _month(sources)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The memories of a period, each in the one part of the summary where it is told."""

    feelings: Sequence[SourceMemory]
    changes: Sequence[SourceMemory]
    plans: Sequence[SourceMemory]
    news: Sequence[SourceMemory]
    ended_plans: Sequence[SourceMemory]
    ended_facts: Sequence[SourceMemory]

    @classmethod
    def of(cls, sources: SummarySources) -> _Parts:
        replaced = {one.replaced_id for one in sources.begun if one.replaced_text}
        over = {one.id for one in sources.ended}
        feelings = [one for one in sources.begun if one.is_feeling]
        rest = [one for one in sources.begun if not one.is_feeling and one.id not in replaced | over]
        return cls(
            feelings=feelings,
            changes=[one for one in rest if one.replaced_text],
            plans=[one for one in rest if one.is_plan and not one.replaced_text],
            news=sorted(
                (one for one in rest if not one.is_plan and not one.replaced_text),
                key=lambda one: -one.importance,
            ),
            ended_plans=[one for one in sources.ended if one.is_plan],
            ended_facts=[one for one in sources.ended if not one.is_plan and not one.is_feeling],
        )


def _day(sources: SummarySources) -> DaySummary:
    parts = _Parts.of(sources)
    feelings = listing("Felt", dict.fromkeys(sentences.quoted(parts.feelings)))
    text = sentences.compose([*_events(parts, sources, _no_date), feelings], MAX_DAY)
    return DaySummary(text, _themes(sources))


def _week(sources: SummarySources) -> WeekSummary:
    parts = _Parts.of(sources)
    feelings = sentences.compose([listing("Felt", sentences.felt(parts.feelings, weekday))], MAX_WEEK)
    return WeekSummary(
        emotional_summary=feelings or "No feelings were noted this week.",
        summary=sentences.compose(_events(parts, sources, weekday), MAX_WEEK),
        key_themes=_themes(sources),
        dominant_patterns=_patterns(sources),
        energy_shifts=sentences.shifts(parts.feelings, weekday)[: MAX_THEMES + 2],
    )


def _month(sources: SummarySources) -> MonthSummary:
    parts = _Parts.of(sources)
    feelings = sentences.compose([listing("Felt", sentences.felt(parts.feelings, day_of_month))], MAX_MONTH)
    important = [one for one in parts.news if one.importance >= _MIN_IMPORTANCE]
    cognitive = sentences.compose(
        [
            listing("Most important", sentences.quoted(important)),
            *_events(parts, sources, day_of_month, leave_out=important),
        ],
        MAX_MONTH,
    )
    return MonthSummary(feelings or "No feelings were noted this month.", cognitive, _themes(sources))


def _events(
    parts: _Parts, sources: SummarySources, words: DateWords, *, leave_out: Sequence[SourceMemory] = ()
) -> list[Sentence]:
    """What changed, what is new, what was planned, what came of it, and whom it was about."""
    everything = [*sources.begun, *(one for one in sources.ended if one not in sources.begun)]
    return [
        listing("Changed", sentences.changed(parts.changes, words)),
        listing("New", sentences.quoted(one for one in parts.news if one not in leave_out)),
        listing("Planned", sentences.quoted(parts.plans)),
        listing("Plans that ended", sentences.ended(parts.ended_plans, words)),
        listing("No longer so", sentences.ended(parts.ended_facts, words)),
        listing("About", sentences.mentioned(everything)),
    ]


def _themes(sources: SummarySources) -> list[str]:
    """The subjects that most memories are about; what the weeks name counts once for each week."""
    counts: Counter[str] = Counter()
    for one in sources.begun:
        theme = one.subject or ("plans" if one.is_plan else _THEMES.get(one.subtype))
        if theme:
            counts[theme] += 1
    counts.update(theme for week in sources.weeks for theme in week.key_themes)
    return [theme for theme, _ in counts.most_common(MAX_THEMES)]


def _patterns(sources: SummarySources) -> list[str]:
    return list(dict.fromkeys(one.text for one in sources.begun if one.is_pattern))[:MAX_THEMES]


def _no_date(_: object) -> str:
    return "today"
