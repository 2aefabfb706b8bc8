"""Writes summaries without a model: what was said, what changed and what was over, day by day, and feelings.

The same sources give the same text. Every name, number and statement in it comes from a memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.extraction.grounding import content_stems
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.compose_sentences import DateWords, day_of_month, enumeration, weekday
from keepsake.domain.summaries.events import describe, describe_by_subject, events_of
from keepsake.domain.summaries.message_clauses import find_message_clauses
from keepsake.domain.summaries.names_in_messages import names_in, with_capitals, written_names
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.readable_statements import is_present_habit, keep_readable
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
from keepsake.domain.summaries.talk import describe_talk

_LITTLE = 3
"""Messages for each statement from which on a summary says how often one talked."""


def write_summary(level: Level, sources: SummarySources, name: str = "") -> Summary:
    """The summary of a period of this length, for a person of this name."""
    sources = replace(sources, begun=_tellable(sources, name))
    match level:
        case Level.DAY:
            return _day(sources)
        case Level.WEEK:
            return _week(sources, name)
        case Level.MONTH:
            return _month(sources, name)


def _tellable(sources: SummarySources, name: str) -> list[SourceMemory]:
    """What of the memories can be told, and what the messages say beside it."""
    kept = keep_readable(sources.begun, sources.messages, name)
    covered = [content_stems(one.text) for one in [*sources.ended, *kept]]
    labels = [label for one in sources.begun if (label := one.subject)]
    names = names_in(sources.messages, labels)
    written = [*written_names(sources.messages, names), *labels]
    for clause in find_message_clauses(sources.messages, names, name):
        about = content_stems(clause.text)
        if not any(about <= other or other <= about for other in covered if other):
            kept.append(clause)
            covered.append(about)
    shown = [replace(one, text=with_capitals(one.text, written)) if one.is_by_rules else one for one in kept]
    return sorted(shown, key=lambda one: one.day)


def _day(sources: SummarySources) -> DaySummary:
    sentences = [*describe(events_of(sources)), _describe_feelings(sources, None)]
    outline = _or_talk(compose_sentences.compose(sentences, MAX_DAY), sources)
    return DaySummary(outline.text, _themes(sources), {"summary": outline})


def _week(sources: SummarySources, name: str) -> WeekSummary:
    felt = _felt(sources, name, weekday, MAX_WEEK)
    events = _or_talk(describe_by_subject(events_of(sources), name, weekday, MAX_WEEK), sources, name)
    return WeekSummary(
        emotional_summary=felt.text,
        summary=events.text,
        key_themes=_themes(sources),
        dominant_patterns=_patterns(sources),
        energy_shifts=phrases.shifts(_feelings(sources), weekday)[: MAX_THEMES + 2],
        outlines={"emotional_summary": felt, "summary": events},
    )


def _month(sources: SummarySources, name: str) -> MonthSummary:
    felt = _felt(sources, name, day_of_month, MAX_MONTH)
    events = _or_talk(describe_by_subject(events_of(sources), name, day_of_month, MAX_MONTH), sources, name)
    return MonthSummary(
        felt.text,
        events.text,
        _themes(sources),
        dominant_transits=[one.row for one in sources.transits] if sources.influences else None,
        planetary_influences=[one.row for one in sources.influences] or None,
        outlines={"emotional_summary": felt, "cognitive_summary": events},
    )


def _felt(sources: SummarySources, name: str, words: DateWords, limit: int) -> Outline:
    return compose_sentences.compose([_describe_feelings(sources, words, name)], limit)


def _or_talk(outline: Outline, sources: SummarySources, name: str = "") -> Outline:
    """What is told of a period; where that is little of what was said, also how often one talked, and about what."""
    is_much = _LITTLE * len(sources.begun) >= len(sources.messages) - 1
    if outline.text and is_much:
        return outline
    talk = Outline.of_text(describe_talk(sources.messages, name))
    return Outline(parts=[outline, talk]) if outline.text else talk


def _describe_feelings(sources: SummarySources, words: DateWords | None, name: str = "") -> Sentence:
    return enumeration(f"{name} felt" if name else "Felt", phrases.feelings(_feelings(sources), words))


def _feelings(sources: SummarySources) -> list[SourceMemory]:
    return [one for one in sources.begun if phrases.is_felt(one)]


def _themes(sources: SummarySources) -> list[str]:
    """Whom and what most memories are about, by their names."""
    named = (one.subject for one in sources.begun if not phrases.is_stop(one))
    return [theme for theme, _ in Counter(theme for theme in named if theme).most_common(MAX_THEMES)]


def _patterns(sources: SummarySources) -> list[str]:
    kept = (one.text for one in sources.begun if is_present_habit(one))
    return list(dict.fromkeys(kept))[:MAX_THEMES]
