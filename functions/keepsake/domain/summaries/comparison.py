"""Compares a month with that of the year before, from the two stored summaries and the memories behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from keepsake.domain.english.join_predicates import end_sentences
from keepsake.domain.memory import MemoryType
from keepsake.domain.merging.fulfilled_plans import fulfills
from keepsake.domain.summaries import phrases
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import Content, items_of, text_of
from keepsake.domain.summaries.compared_month import MonthInYear, MonthMemory
from keepsake.domain.summaries.compose_sentences import compose, fit, listing, series
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.summary import MAX_THEMES

MAX_GROWTH = 1000
"""Characters of the text of a comparison."""

_BEGINNINGS = ("Felt ", "No feelings ")
"""How the rules begin what they say of feelings."""
_KINDS = frozenset(["tastes", "habits", "difficulties", "people", "belongings", "events", "feelings", "plans"])
"""Kinds of memories, which were themes of months once: that both had plans is no comparison."""
_PREPOSITIONS = frozenset({"as", "at", "in", "for"})

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
    """The comparison without a model: what became of the memories of the earlier month, in the stored words."""
    fates = _Fates.of(earlier, later)
    before, now = _themes(earlier), _themes(later)
    shared = [now[key] for key in now if key in before]
    changed = [*fates.changes, *map(phrases.over, fates.over)]
    appeared = phrases.bare(fates.new)
    growth = compose(
        [series(f"Planned in {earlier.name}:", fates.plans(later.name)), listing("In both months", shared)], MAX_GROWTH
    ).text
    if earlier.emotional_summary != later.emotional_summary:
        growth = fit([growth, *map(_describe_feelings, (earlier, later))], MAX_GROWTH)
    new = end_sentences(appeared)
    differences = fit([end_sentences(changed), f"New in {later.name}: {new}" if new else ""], MAX_GROWTH)
    return Comparison(
        growth or differences or f"Nothing of {earlier.name} and {later.name} can be compared.",
        _list_phrases([*phrases.bare(fates.same)], shared),
        _list_phrases(changed, ()),
        _list_phrases(appeared, [now[key] for key in now if key not in before]),
    )


def without_repeated(found: Comparison) -> Comparison:
    """A model's comparison without what stands in two of its lists."""
    lists = (found.stayed, found.changed, found.appeared)
    counts = Counter(item for items in lists for item in items)
    stayed, changed, appeared = ([item for item in items if counts[item] == 1] for items in lists)
    return replace(found, stayed=stayed, changed=changed, appeared=appeared)


def _describe_feelings(month: MonthInYear) -> str:
    """How the person felt in a month: "October 2025: felt tired (3 October)."."""
    text = month.emotional_summary
    return f"{month.name}: {text[:1].lower() if text.startswith(_BEGINNINGS) else text[:1]}{text[1:]}"


@dataclass(frozen=True, slots=True)
class _Fates:
    """What became of the memories behind the earlier month, and what only the later month has."""

    same: Sequence[MonthMemory]
    changed: Sequence[tuple[MonthMemory, str]]
    """With what is so instead."""
    over: Sequence[MonthMemory]
    planned: Sequence[MonthMemory]
    new: Sequence[MonthMemory]
    later: Sequence[MonthMemory]

    @classmethod
    def of(cls, earlier: MonthInYear, later: MonthInYear) -> _Fates:
        known = {text.casefold() for one in earlier.memories for text in one.texts}
        facts = [one for one in earlier.memories if not one.is_momentary]
        valid = [one for one in facts if not (one.has_ended or one.is_doubted)]
        planned = [one for one in facts if _is_open_or_fulfilled(one, later.memories)]
        new = [
            one
            for one in later.memories
            if not (one.has_ended or one.successor_id or one.type is MemoryType.EMOTION or phrases.is_negation(one))
            and one.text.casefold() not in known
        ]
        over = [one for one in facts if one.has_ended and one not in planned]
        instead = {old.id: one for old in over for one in new if _beginning(old) and _beginning(old) == _beginning(one)}
        return cls(
            same=[replace(one, text=one.texts[-1]) for one in valid if not (one.is_changed or one.is_plan)],
            changed=[
                *((one, one.texts[-1]) for one in valid if one.is_changed and one not in planned),
                *((one, instead[one.id].text) for one in over if one.id in instead),
            ],
            over=[one for one in over if one.id not in instead],
            planned=planned,
            new=[one for one in new if one not in instead.values()],
            later=later.memories,
        )

    @property
    def changes(self) -> list[str]:
        """What is so now, and what was so in the earlier month."""
        return [phrases.change(now, one.text, one.entity_label) for one, now in self.changed]

    def plans(self, month: str) -> list[str]:
        """What was planned, and what the later month says of the same thing."""
        texts = []
        for plan in self.planned:
            since = phrases.bare([one for one in self.later if _concerns_plan(one, plan)][:2])
            if plan.is_changed:
                since = [phrases.lower_first(plan.texts[-1], plan.entity_label)]
            text = phrases.plan(plan.text if plan.is_changed else plan.texts[-1], plan.entity_label)
            texts.append(f"{text} ({month}: {'; '.join(since)})" if since else text)
        return texts


def _concerns_plan(memory: MonthMemory, plan: MonthMemory) -> bool:
    """Whether a memory of the later month says something of the thing that was planned, or that it has come true."""
    is_same = memory.text != plan.text and phrases.subjects(plan.text) & phrases.subjects(memory.text)
    return bool(is_same) or fulfills(memory.text, plan.text)


def _is_open_or_fulfilled(memory: MonthMemory, later: Sequence[MonthMemory]) -> bool:
    """Whether a memory is a plan that is still open, or whose outcome is known."""
    if not memory.is_plan or (memory.is_changed and phrases.is_planned(memory.texts[-1])):
        return False
    if not memory.has_ended:
        return True
    return memory.successor_text is None and any(fulfills(one.text, memory.text) for one in later)


def _beginning(memory: MonthMemory) -> str:
    """The verb of a statement that says what, where or for whom: "Works as"; empty for another one."""
    first = memory.text.split()[:2]
    return " ".join(first) if len(first) > 1 and first[1] in _PREPOSITIONS else ""


def _list_phrases(texts: Sequence[str], themes: Sequence[str]) -> list[str]:
    """The first phrases as items of a list; where there are none, the themes."""
    items = (f"{text[:1].upper()}{text[1:]}" for text in texts)
    return (list(dict.fromkeys(items)) or list(themes))[:MAX_THEMES]


def build_comparison_prompt(earlier: MonthInYear, later: MonthInYear, author: Author | None = None) -> SummaryPrompt:
    """The prompt for a model; ``author`` is the person, where their name may be shown."""
    return SummaryPrompt.of("year", FORM, [*_texts(earlier), *_texts(later)], author=author)


def comparison_of(content: Content) -> Comparison:
    """The comparison that a reply makes."""
    lists = {name: items_of(content, name) for name in FORM.lists}
    return Comparison(text_of(content, "growth"), **lists)


def _themes(month: MonthInYear) -> dict[str, str]:
    """The themes by their words in small letters."""
    return {theme.casefold(): theme for theme in month.key_themes if theme not in _KINDS}


def _texts(month: MonthInYear) -> list[Citable]:
    """The summary of a month, and the memories behind it, as texts that may be cited."""
    first, rests_on = date(month.year, month.month, 1), (tuple(month.message_ids), tuple(month.memory_ids))
    texts = [
        Citable(text, month.name, first, "summary", "", *rests_on, month.id)
        for text in (month.emotional_summary, month.cognitive_summary)
        if text
    ]
    return [*texts, *(_statement(one, month.name, first) for one in month.memories if not one.is_momentary)]


def _statement(memory: MonthMemory, month: str, first: date) -> Citable:
    text = memory.text
    if memory.successor_text is not None:
        text += f" (now: {memory.successor_text})"
    if memory.has_ended or memory.is_doubted:
        text += " (no longer so)" if memory.has_ended else " (may no longer be so)"
    ids = tuple(filter(None, (memory.id, memory.successor_id)))
    return Citable(text, month, first, "remembered", memory_ids=ids, row_id=memory.id)
