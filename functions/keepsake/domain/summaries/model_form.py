"""The model's form of a summary: the data of its prompt, and the summary that a reply makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from keepsake.domain.summaries.compose_sentences import weekday_and_date
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.named_period import describe
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import MAX_DAY, MAX_MONTH, MAX_THEMES, MAX_WEEK, Summary

FORMS: Mapping[Level, ReplyForm] = {
    Level.DAY: ReplyForm({"summary": MAX_DAY}, {"key_themes": MAX_THEMES}),
    Level.WEEK: ReplyForm(
        {"emotional_summary": MAX_WEEK, "summary": MAX_WEEK},
        {"key_themes": MAX_THEMES, "dominant_patterns": MAX_THEMES, "energy_shifts": MAX_THEMES + 2},
    ),
    Level.MONTH: ReplyForm(
        {"emotional_summary": MAX_MONTH, "cognitive_summary": MAX_MONTH}, {"key_themes": MAX_THEMES}
    ),
}
"""What the model answers, by the length of the period."""

_MAX_STATEMENTS = 60


def build_prompt(period: Period, sources: SummarySources, name: str | None) -> SummaryPrompt:
    """The prompt for the summary of a period; ``name`` is the person's, where it may be shown."""
    data: dict[str, Any] = {"period": _period_name(period)}
    data["statements"] = [_statement(one, one.day) for one in _ranked(sources.begun)]
    data["ended"] = [_statement(one, one.ended) for one in _ranked(sources.ended)]
    if period.level is Level.MONTH:
        data["weeks"] = [
            {"from": weekday_and_date(week.first), "emotional_summary": week.emotional_summary, "summary": week.summary}
            for week in sources.weeks
        ]
    if sources.influences:
        data["transits"] = [one.text for one in sources.transits]
        data["planets"] = [one.text for one in sources.influences]
    if sources.conversations:
        data["conversations"] = [one.text for one in sources.conversations]
    if sources.days:
        data["days"] = [one.text for one in sources.days]
    return SummaryPrompt.for_person(name, period.level.value, FORMS[period.level], **data)


def complete_summary(rules_form: Summary, content: Content) -> Summary:
    """The model's summary; what it has nothing for stays as the rules wrote it."""
    fields: dict[str, Any] = {name: value for name, value in content.items() if value}
    outlines = {name: outline for name, outline in rules_form.outlines.items() if name not in fields}
    return replace(rules_form, **fields, outlines=outlines)


def _period_name(period: Period) -> str:
    if period.level is Level.WEEK:
        return f"week from {weekday_and_date(period.first)} to {weekday_and_date(period.last)} {period.last.year}"
    return f"{weekday_and_date(period.first)} {period.first.year}" if period.level is Level.DAY else describe(period)


def _ranked(memories: Sequence[SourceMemory]) -> list[SourceMemory]:
    """The most important ones, in their order."""
    by_importance = sorted(range(len(memories)), key=lambda index: -memories[index].importance)[:_MAX_STATEMENTS]
    return [memories[index] for index in sorted(by_importance)]


def _statement(memory: SourceMemory, day: date | None) -> dict[str, str]:
    statement = {"kind": _kind(memory), "text": memory.text}
    if day:
        statement["day"] = weekday_and_date(day)
    if memory.replaced_text and memory.is_change:
        statement["instead_of"] = memory.replaced_text
    return statement


def _kind(memory: SourceMemory) -> str:
    if memory.is_feeling:
        return "feeling"
    if memory.is_plan:
        return "plan"
    return "habit" if memory.is_pattern else "fact"
