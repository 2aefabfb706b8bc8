"""Writes summaries without a model: what is new, what changed and when, whom it was about, feelings and plans.

The same sources give the same text. Every name, number and statement in it comes from a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.context.outline import Outline, Role, Sentence
from keepsake.domain.memory import Subtype
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.compose_sentences import (
    DateWords,
    day_of_month,
    enumeration,
    names,
    series,
    weekday,
)
from keepsake.domain.summaries.periods import Level
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
_PLANS = "plans"
GENERAL_THEMES = frozenset({*_THEMES.values(), _PLANS})
"""Themes that name a kind of memory, where it is about nobody and nothing with a name."""


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
    stops: Sequence[SourceMemory]

    @classmethod
    def of(cls, sources: SummarySources) -> _Parts:
        replaced = {one.replaced_id for one in sources.begun if one.replaced_text}
        over = {one.id for one in sources.ended}
        feelings = [one for one in sources.begun if one.is_feeling]
        rest = [one for one in sources.begun if not one.is_feeling and one.id not in replaced | over]
        ended_facts = [one for one in sources.ended if not one.is_plan and not one.is_feeling]
        negations = [one for one in rest if phrases.is_negation(one) and not (one.is_plan or one.is_change)]
        untold = phrases.leave_out_covered(negations, ended_facts)
        stops = [one for one in untold if phrases.is_stop(one)]
        rest = [one for one in rest if one not in negations or (one in untold and one not in stops)]
        return cls(
            feelings=feelings,
            changes=[one for one in rest if one.is_change],
            plans=[one for one in rest if one.is_plan and not one.is_change],
            news=[one for one in rest if not one.is_plan and not one.is_change],
            ended_plans=[one for one in sources.ended if one.is_plan],
            ended_facts=ended_facts,
            stops=stops,
        )


def _day(sources: SummarySources) -> DaySummary:
    outline = compose_sentences.compose([*_events(sources, None), _feelings(sources, None)], MAX_DAY)
    return DaySummary(outline.text, _themes(sources), {"summary": outline})


def _week(sources: SummarySources) -> WeekSummary:
    parts = _Parts.of(sources)
    felt, events = _felt_and_events(sources, weekday, MAX_WEEK, "week")
    return WeekSummary(
        emotional_summary=felt.text,
        summary=events.text,
        key_themes=_themes(sources),
        dominant_patterns=_patterns(sources),
        energy_shifts=phrases.shifts(parts.feelings, weekday)[: MAX_THEMES + 2],
        outlines={"emotional_summary": felt, "summary": events},
    )


def _month(sources: SummarySources) -> MonthSummary:
    felt, events = _felt_and_events(sources, day_of_month, MAX_MONTH, "month")
    return MonthSummary(
        felt.text,
        events.text,
        _themes(sources),
        dominant_transits=[one.row for one in sources.transits] if sources.influences else None,
        planetary_influences=[one.row for one in sources.influences] or None,
        outlines={"emotional_summary": felt, "cognitive_summary": events},
    )


def _felt_and_events(sources: SummarySources, words: DateWords, limit: int, period: str) -> tuple[Outline, Outline]:
    felt = compose_sentences.compose([_feelings(sources, words)], limit)
    nothing = Outline([Sentence(f"No feelings were noted this {period}.", role=Role.OVER)])
    return felt if felt.text else nothing, compose_sentences.compose(_events(sources, words), limit)


def _feelings(sources: SummarySources, words: DateWords | None) -> Sentence:
    return enumeration("Felt", phrases.feelings(_Parts.of(sources).feelings, words))


def _events(sources: SummarySources, words: DateWords | None) -> list[Sentence]:
    """What is new, what changed, what was planned, what came of it, and whom it was about."""
    parts = _Parts.of(sources)
    everything = [*sources.begun, *(one for one in sources.ended if one not in sources.begun)]
    return [
        series("New:", phrases.news(parts.news, words)),
        series("Changed:", phrases.changes(parts.changes, words), Role.CHANGED),
        series("Plans:", phrases.plans(parts.plans)),
        series("Plans that ended:", phrases.plans(parts.ended_plans, words), Role.OVER),
        series("No longer:", phrases.endings(parts.ended_facts, words), Role.OVER),
        series("Given up:", phrases.stops(parts.stops), Role.OVER),
        names("Mentioned", compose_sentences.mentioned(everything)),
    ]


def _themes(sources: SummarySources) -> list[str]:
    """What most memories are about, what has a name first; what the weeks name counts once for each week."""
    counts: Counter[str] = Counter()
    for one in sources.begun:
        theme = one.subject or (_PLANS if one.is_plan else _THEMES.get(one.subtype))
        if theme and not phrases.is_stop(one):
            counts[theme] += 1
    counts.update(theme for week in sources.weeks for theme in week.key_themes)
    if len(counts) > 1:  # how the person felt is told beside them
        del counts[_THEMES[Subtype.FEELING]]
    by_count = sorted(counts, key=lambda theme: (theme in GENERAL_THEMES, -counts[theme]))
    return by_count[:MAX_THEMES]


def _patterns(sources: SummarySources) -> list[str]:
    kept = (one.text for one in sources.begun if one.is_pattern and not phrases.is_stop(one))
    return list(dict.fromkeys(kept))[:MAX_THEMES]
