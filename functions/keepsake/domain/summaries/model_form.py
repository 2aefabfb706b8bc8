"""The model's form of a summary: the numbered texts of its prompt, and the summary that a reply makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import Content, items_of, text_of
from keepsake.domain.summaries.compose_sentences import full_date, weekday_and_date
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.named_period import describe
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.said import SaidMessage, newest_within
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary import (
    MAX_FULL_DAY,
    MAX_FULL_MONTH,
    MAX_MONTH,
    MAX_THEMES,
    MAX_WEEK,
    DaySummary,
    MonthSummary,
    Summary,
    WeekSummary,
)

FORMS: Mapping[Level, ReplyForm] = {
    Level.DAY: ReplyForm({"summary": MAX_FULL_DAY}, {"key_themes": MAX_THEMES}),
    Level.WEEK: ReplyForm(
        {"emotional_summary": MAX_WEEK, "summary": MAX_WEEK},
        {"key_themes": MAX_THEMES, "dominant_patterns": MAX_THEMES, "energy_shifts": MAX_THEMES + 2},
    ),
    Level.MONTH: ReplyForm(
        {"emotional_summary": MAX_MONTH, "cognitive_summary": MAX_FULL_MONTH}, {"key_themes": MAX_THEMES}
    ),
}
"""What the model answers, by the length of the period."""

MAX_BUDGET, _RESERVED_TOKENS, _CHARACTERS_PER_TOKEN = 8000, 1400, 3
"""Tokens of texts that a prompt has at most, tokens kept for the rules and the answer, and what a token is at least."""
_OVERHEAD = 60
"""Characters that a text takes beside its words."""
_MAX_STATEMENTS = 60


def budget_of(window: int) -> int:
    """Characters of texts that a prompt may have, for a model that reads ``window`` tokens."""
    return _CHARACTERS_PER_TOKEN * max(500, min(MAX_BUDGET, (window - _RESERVED_TOKENS) * 2 // 3))


def build_prompt(period: Period, sources: SummarySources, author: Author | None, *, budget: int) -> SummaryPrompt:
    """The prompt for the summary of a period; ``author`` is the person, where their name may be shown."""
    background = sources.background
    return SummaryPrompt.of(
        period.level.value,
        FORMS[period.level],
        citable_texts(sources, budget),
        author=author,
        known=background.known,
        period=_period_name(period),
        previous=background.previous,
        plans=background.plans,
    )


def citable_texts(sources: SummarySources, budget: int) -> list[Citable]:
    """What a summary is written from: the messages as long as they fit, else what lies beneath, else the memories."""
    is_shown = _size(sources.said) <= budget or not sources.beneath
    found = [message_text(one) for one in newest_within(sources.said, budget)] if is_shown else []
    if not found:
        found = _newest(sources.beneath, budget) or [
            *map(_statement, _ranked(sources.begun)),
            *map(_ended, sources.ended),
        ]
    sky = [*(one.text for one in sources.transits), *(one.text for one in sources.influences)]
    facts = [Citable(text, kind="sky") for text in sky] if sources.influences else []
    return [*found, *sources.corrections, *facts]


def message_text(message: SaidMessage) -> Citable:
    """A message as a text that may be cited, with its local day and time."""
    said = message.said_at
    return Citable(
        message.text,
        day=full_date(said.date()),
        time=f"{said:%H:%M}",
        on=said.date(),
        answer=message.answer,
        message_ids=(message.id,),
        memory_ids=message.memory_ids,
    )


def complete_summary(level: Level, sources: SummarySources, content: Content) -> Summary:
    """The model's summary: what it has nothing for is empty; only the sky of a month is not the model's."""
    form = FORMS[level]
    fields: dict[str, Any] = {name: text_of(content, name) for name in form.texts}
    fields |= {name: items_of(content, name) for name in form.lists}
    match level:
        case Level.DAY:
            return DaySummary(**fields)
        case Level.WEEK:
            return WeekSummary(**fields)
        case Level.MONTH:
            return MonthSummary(**fields, **sources.sky)


def _period_name(period: Period) -> str:
    if period.level is Level.WEEK:
        return f"week from {weekday_and_date(period.first)} to {full_date(period.last)}"
    return full_date(period.first) if period.level is Level.DAY else describe(period)


def _size(texts: Iterable[Citable | SaidMessage]) -> int:
    return sum(len(one.text) + _OVERHEAD for one in texts)


def _newest(texts: Sequence[Citable], budget: int) -> list[Citable]:
    kept: list[Citable] = []
    for one in reversed(texts):
        if _size(kept) + len(one.text) > budget:
            break
        kept.insert(0, one)
    return kept


def _ranked(memories: Sequence[SourceMemory]) -> list[SourceMemory]:
    """The most important ones, in their order."""
    by_importance = sorted(range(len(memories)), key=lambda index: -memories[index].importance)[:_MAX_STATEMENTS]
    return [memories[index] for index in sorted(by_importance)]


def _statement(memory: SourceMemory) -> Citable:
    kind = "feeling" if memory.is_feeling else "plan" if memory.is_plan else "habit" if memory.is_pattern else "fact"
    text = f"{memory.text} (before: {memory.replaced_text})" if memory.is_change else memory.text
    ids = (memory.id, memory.replaced_id) if memory.replaced_id else (memory.id,)
    return _of_memory(memory, text, memory.day, kind, *ids)


def _ended(memory: SourceMemory) -> Citable:
    return _of_memory(memory, memory.text, memory.ended or memory.day, "no longer so", memory.id)


def _of_memory(memory: SourceMemory, text: str, day: date, kind: str, *ids: Any) -> Citable:
    return Citable(text, day=full_date(day), on=day, kind=kind, memory_ids=ids, row_id=memory.id)
