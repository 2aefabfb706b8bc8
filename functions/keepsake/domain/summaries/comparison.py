"""Compares a month with that of the year before, from the two stored summaries and the memories behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.memory import MemoryType
from keepsake.domain.summaries import phrases
from keepsake.domain.summaries.compared_month import MonthInYear, MonthMemory
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.rules_form import GENERAL_THEMES
from keepsake.domain.summaries.sentences import compose, fit, in_quotes, listing, series
from keepsake.domain.summaries.summary import MAX_THEMES

MAX_GROWTH = 1000
"""Characters of the text of a comparison."""

FORM = ReplyForm({"growth": MAX_GROWTH}, {"stayed": MAX_THEMES, "changed": MAX_THEMES, "appeared": MAX_THEMES})
"""What a model answers."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a person has developed, what stayed, what changed, and what is in the later month only."""

    growth: str
    stayed: Sequence[str] = ()
    changed: Sequence[str] = ()
    appeared: Sequence[str] = ()


def compare_months(earlier: MonthInYear, later: MonthInYear) -> Comparison:
    """The comparison without a model: what became of what was said in the earlier month, in the stored words."""
    fates = _Fates.of(earlier, later)
    before, now = _themes(earlier), _themes(later)
    stayed = [one.text for one in fates.same]
    changed = [*fates.changes, *(f"No longer so: {text}" for text in phrases.bare(fates.over))]
    appeared = [one.text for one in fates.new]
    growth = compose(
        [
            series(f"As in {earlier.name}:", phrases.bare(fates.same)),
            series("Changed:", fates.changes),
            series("No longer so:", phrases.bare(fates.over)),
            series(f"Planned in {earlier.name}:", fates.plans(later.name)),
            series(f"New in {later.name}:", phrases.bare(fates.new)),
            listing("Themes of both months", map(in_quotes, (now[key] for key in now if key in before))),
        ],
        MAX_GROWTH,
    )
    felt = [f"{one.name}: {one.emotional_summary}" for one in (earlier, later)]
    if earlier.emotional_summary != later.emotional_summary:
        changed.insert(min(len(changed), MAX_THEMES - 1), " ".join(felt))
        growth = fit([growth, *felt], MAX_GROWTH)
    return Comparison(
        growth or f"Nothing of {earlier.name} and {later.name} can be compared.",
        _first(stayed, (now[key] for key in now if key in before)),
        changed[:MAX_THEMES],
        _first(appeared, (now[key] for key in now if key not in before)),
    )


@dataclass(frozen=True, slots=True)
class _Fates:
    """What became of the memories behind the earlier month, and what only the later month has."""

    same: Sequence[MonthMemory]
    changed: Sequence[MonthMemory]
    over: Sequence[MonthMemory]
    planned: Sequence[MonthMemory]
    new: Sequence[MonthMemory]
    later: Sequence[MonthMemory]

    @classmethod
    def of(cls, earlier: MonthInYear, later: MonthInYear) -> _Fates:
        known = {text.casefold() for one in earlier.memories for text in one.texts}
        facts = [one for one in earlier.memories if not one.is_momentary]
        valid = [one for one in facts if not one.has_ended]
        return cls(
            same=[one for one in valid if one.successor_text is None and not one.is_plan],
            changed=[one for one in valid if one.successor_text is not None],
            over=[one for one in facts if one.has_ended],
            planned=[one for one in valid if one.is_plan and one.successor_text is None],
            new=[
                one
                for one in later.memories
                if not (one.has_ended or one.type is MemoryType.EMOTION or phrases.is_negation(one))
                and one.text.casefold() not in known
            ],
            later=later.memories,
        )

    @property
    def changes(self) -> list[str]:
        """What is so now, and what was so in the earlier month."""
        return [
            f"{phrases.lower_first(one.successor_text or '', one.entity_label)}"
            f" (before: {phrases.lower_first(one.text, one.entity_label)})"
            for one in self.changed
        ]

    def plans(self, month: str) -> list[str]:
        """What was planned, and what the later month says of the same thing."""
        texts = []
        for plan in self.planned:
            subjects = phrases.subjects(plan.text)
            since = [one for one in self.later if one.text != plan.text and subjects & phrases.subjects(one.text)]
            text = phrases.plan(plan.text, plan.entity_label)
            texts.append(f"{text} ({month}: {'; '.join(phrases.bare(since[:2]))})" if since else text)
        return texts


def _first(texts: Sequence[str], themes: Iterable[str]) -> list[str]:
    """The first texts; where there are none, the themes."""
    return (list(dict.fromkeys(texts)) or list(themes))[:MAX_THEMES]


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
        "statements": [_statement(one) for one in month.memories if not one.is_momentary],
    }


def _statement(memory: MonthMemory) -> dict[str, str]:
    statement = {"text": memory.text}
    if memory.successor_text is not None:
        statement["now"] = memory.successor_text
    return statement | ({"state": "no longer so"} if memory.has_ended else {})
