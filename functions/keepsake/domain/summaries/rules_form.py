"""Writes summaries without a model: what is remembered, changed and over, feelings, and the person's own words by day.

The same sources give the same text. Every name, number and statement in it comes from a memory or stands in a message.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.compose_sentences import DateWords, enumeration
from keepsake.domain.summaries.events import describe, describe_by_subject, events_of
from keepsake.domain.summaries.names_in_messages import names_in, with_capitals, written_names
from keepsake.domain.summaries.own_words import describe_quotes, find_quotes
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
    """What of the memories can be told, with names as they are written."""
    kept = keep_readable(sources.begun, sources.messages, name)
    labels = [label for one in sources.begun if (label := one.subject)]
    written = [*written_names(sources.messages, names_in(sources.messages, labels)), *labels]
    return [replace(one, text=with_capitals(one.text, written)) if one.is_by_rules else one for one in kept]


def _day(sources: SummarySources) -> DaySummary:
    sentences = [*describe(events_of(sources)), _describe_feelings(sources, None)]
    outline = _with_quotes(compose_sentences.compose(sentences, MAX_DAY), sources, None, MAX_DAY)
    return DaySummary(outline.text, _themes(sources), {"summary": outline})


def _week(sources: SummarySources, name: str) -> WeekSummary:
    weekday = sources.spoken.weekday
    felt, events = _felt(sources, name, weekday, MAX_WEEK), _events(sources, name, weekday, MAX_WEEK)
    return WeekSummary(
        emotional_summary=felt.text,
        summary=events.text,
        key_themes=_themes(sources),
        dominant_patterns=_patterns(sources),
        energy_shifts=phrases.shifts(_feelings(sources), weekday)[: MAX_THEMES + 2],
        outlines={"emotional_summary": felt, "summary": events},
    )


def _month(sources: SummarySources, name: str) -> MonthSummary:
    day = sources.spoken.day_of_month
    felt, events = _felt(sources, name, day, MAX_MONTH), _events(sources, name, day, MAX_MONTH)
    return MonthSummary(
        felt.text,
        events.text,
        _themes(sources),
        outlines={"emotional_summary": felt, "cognitive_summary": events},
        **sources.sky,
    )


def _felt(sources: SummarySources, name: str, words: DateWords, limit: int) -> Outline:
    return compose_sentences.compose([_describe_feelings(sources, words, name)], limit)


def _events(sources: SummarySources, name: str, words: DateWords, limit: int) -> Outline:
    return _with_quotes(describe_by_subject(sources, name, words, limit), sources, words, limit, name)


def _with_quotes(
    facts: Outline, sources: SummarySources, words: DateWords | None, limit: int, name: str = ""
) -> Outline:
    """What is told of a period, and then the person's own words; where there is neither, how often one talked."""
    spoken = sources.spoken
    quotes = find_quotes(sources.messages, [one.text for one in (*sources.begun, *sources.ended)], spoken)
    heading = spoken.say("quotes", name=name) if name else ""
    quoted = describe_quotes(quotes, words, limit - len(facts.text) - 1, heading)
    if not quoted.text:
        return facts if facts.text else Outline.of_text(describe_talk(sources.messages, spoken, name))
    return Outline(parts=[facts, quoted]) if facts.text else quoted


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
