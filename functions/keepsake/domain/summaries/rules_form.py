"""Writes summaries without a model: the person's own words by day, and what of memories no message of the period tells.

The same sources give the same text. Every name, number and statement in it comes from a memory or stands in a message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.compose_sentences import DateWords, enumeration
from keepsake.domain.summaries.events import describe, describe_by_subject, events_of
from keepsake.domain.summaries.own_words import Quote, describe_quotes, find_quotes
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.readable_statements import (
    is_present_habit,
    is_statement,
    leave_out_quoted,
    wholly_felt,
)
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import (
    MAX_DAY,
    MAX_MONTH,
    MAX_QUOTED_MONTH,
    MAX_THEMES,
    MAX_WEEK,
    DaySummary,
    MonthSummary,
    Summary,
    WeekSummary,
)
from keepsake.domain.summaries.talk import describe_talk

_FEW = 3
"""Statements and quotes of a week that are few."""


def write_summary(level: Level, sources: SummarySources, author: Author | None = None) -> Summary:
    """The summary of a period of this length; ``author`` is the person, where their name may be shown."""
    name = author.name if author else ""
    match level:
        case Level.DAY:
            return _day(sources)
        case Level.WEEK:
            return _week(sources, name)
        case Level.MONTH:
            return _month(sources, name)


def _day(sources: SummarySources) -> DaySummary:
    quotes = _quotes(sources)
    sentences = [*describe(events_of(_unquoted(sources, quotes))), _describe_feelings(sources, None)]
    outline = _with_quotes(compose_sentences.compose(sentences, MAX_DAY), quotes, None, MAX_DAY)
    if not outline.text:
        outline = Outline.of_text(describe_talk(sources.messages, sources.spoken))
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
    felt, events = _felt(sources, name, day, MAX_MONTH), _events(sources, name, day, MAX_QUOTED_MONTH, is_long=True)
    return MonthSummary(
        felt.text,
        events.text,
        _themes(sources),
        outlines={"emotional_summary": felt, "cognitive_summary": events},
        **sources.sky,
    )


def _felt(sources: SummarySources, name: str, words: DateWords, limit: int) -> Outline:
    return compose_sentences.compose([_describe_feelings(sources, words, name)], limit)


def _events(sources: SummarySources, name: str, words: DateWords, limit: int, *, is_long: bool = False) -> Outline:
    """What is told of a longer period: facts and quotes, and how often one talked where it is long or they are few."""
    talk = describe_talk(sources.messages, sources.spoken, name)
    room = limit - len(talk) - 1
    quotes = _quotes(sources)
    facts = describe_by_subject(_unquoted(sources, quotes), name, words, room)
    found = _with_quotes(facts, quotes, words, room, sources.spoken.say("quotes", name=name) if name else "")
    is_little = len(found.all_items) < min(_FEW, len(sources.messages))
    if not (talk and (is_long or is_little)):
        return found
    return Outline(parts=[Outline.of_text(talk), found]) if found.text else Outline.of_text(talk)


def _with_quotes(
    facts: Outline, quotes: Sequence[Quote], words: DateWords | None, limit: int, heading: str = ""
) -> Outline:
    """What is told of a period, and then the person's own words."""
    quoted = describe_quotes(quotes, words, limit - len(facts.text) - 1, heading)
    if not quoted.text:
        return facts
    return Outline(parts=[facts, quoted]) if facts.text else quoted


def _quotes(sources: SummarySources) -> list[Quote]:
    return find_quotes(sources.messages, [*sources.begun, *sources.ended], sources.spoken)


def _unquoted(sources: SummarySources, quotes: Sequence[Quote]) -> SummarySources:
    """The sources with the memories alone that no quote of their messages tells."""
    begun, ended = (leave_out_quoted(memories, quotes) for memories in (sources.begun, sources.ended))
    return replace(sources, begun=begun, ended=ended)


def _describe_feelings(sources: SummarySources, words: DateWords | None, name: str = "") -> Sentence:
    return enumeration(f"{name} felt" if name else "Felt", phrases.feelings(_feelings(sources), words))


def _feelings(sources: SummarySources) -> list[SourceMemory]:
    return wholly_felt(sources.begun, sources.messages)


def _themes(sources: SummarySources) -> list[str]:
    """Whom and what most memories are about, by their names."""
    named = (one.subject for one in sources.begun if not phrases.is_stop(one))
    return [theme for theme, _ in Counter(theme for theme in named if theme).most_common(MAX_THEMES)]


def _patterns(sources: SummarySources) -> list[str]:
    kept = (one.text for one in sources.begun if is_present_habit(one) and is_statement(one))
    return list(dict.fromkeys(kept))[:MAX_THEMES]
