"""The sentences of a summary without a model: they count and quote what is stored, and add nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from keepsake.domain.context.outline import Item, Joint, Outline, Role, Sentence
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.text import has_open_quote, split_outside_quotes, truncate_words

_QUOTE_END = "…”"


class _Stated(Protocol):
    """A memory."""

    @property
    def text(self) -> str: ...


DateWords = Callable[[date], str]
"""Says a date; a summary of one day has none."""


def weekday(day: date) -> str:
    """A day within a week: "Monday"."""
    return WEEKDAYS[day.weekday()].capitalize()


def day_of_month(day: date) -> str:
    """A day within a year: "12 October"."""
    return f"{day.day} {MONTHS[day.month - 1]}"


def weekday_and_date(day: date) -> str:
    """A day within a year, with its weekday: "Monday 12 October"."""
    return f"{weekday(day)} {day_of_month(day)}"


def full_date(day: date) -> str:
    """The same with its year: "Monday 12 October 2026"."""
    return f"{weekday_and_date(day)} {day.year}"


def compose(sentences: Sequence[Sentence], limit: int) -> Outline:
    """The sentences within ``limit`` characters: with as many items each as fit, at least one."""
    outline = Outline([one for one in sentences if one.text])
    return outline.within(limit) or cut(outline, limit)


def cut(outline: Outline, limit: int) -> Outline:
    """One item of each sentence, cut after a word where even these take more than ``limit`` characters."""
    return Outline.of_text(_cut_words(outline.shortened(1).text, limit))


def fit(texts: Sequence[str], limit: int) -> str:
    """The texts within ``limit`` characters, where each may have its share, and what the others leave of theirs.

    Each is cut at the end of a sentence, where it has one in its share.
    """
    present = [text for text in texts if text]
    limits = [max(limit // len(present), limit - sum(map(len, present)) + len(text)) - 1 for text in present]
    return " ".join(_cut(text, length) for text, length in zip(present, limits, strict=True))


def _cut(text: str, limit: int) -> str:
    """The first sentences of a text within ``limit``; of the first, where that is too long, as many words as fit."""
    kept = ""
    for sentence in split_outside_quotes(text):
        if len(kept) + len(sentence) + bool(kept) > limit:
            break
        kept = f"{kept} {sentence}" if kept else sentence
    return kept or _cut_words(text, limit)


def _cut_words(text: str, limit: int) -> str:
    """The first words of a text; a quote among them ends with "…"."""
    cut = truncate_words(text, limit)
    return f"{truncate_words(text, limit - len(_QUOTE_END))}{_QUOTE_END}" if has_open_quote(cut) else cut


def fit_outlines(outlines: Sequence[Outline], limit: int) -> Outline | None:
    """Several summaries as one, within ``limit`` characters; None where they say nothing."""
    joined = Outline(parts=[one for one in outlines if one.text])
    if not joined.text:
        return None
    shortened = Outline.of_text(fit([one.text for one in joined.parts], limit))
    return joined.within(limit) or replace(shortened, refs=joined.all_refs)


def listing(label: str, items: Iterable[str | Item], joint: Joint = Joint.AND) -> Sentence:
    """A sentence that lists: "New: “Likes pizza”, “Has a dog” and 2 more"; without a label each stands alone."""
    return _sentence(f"{label}:" if label else "", items, joint=joint if label else Joint.SEMICOLONS)


def series(label: str, items: Iterable[str | Item], role: Role = Role.CURRENT) -> Sentence:
    """A sentence that lists phrases: "New: has a dog; likes pizza; and 2 more"; the most important stay."""
    return _sentence(label, items, role)


def predicates(items: Iterable[Item], role: Role = Role.CURRENT) -> Sentence:
    """What is said of the person themselves, as sentences without a subject: "Has a dog and likes pizza"."""
    return _sentence("", items, role, Joint.AND)


def clauses(items: Iterable[Item], role: Role = Role.CURRENT) -> Sentence:
    """What is said of others, each as a sentence: "Anna is a nurse. Wife is named Priya"."""
    return _sentence("", items, role)


def enumeration(label: str, items: Iterable[str | Item], role: Role = Role.CURRENT) -> Sentence:
    """A sentence that joins phrases: "Felt tired (Monday) and happy (Friday)"; those with commas by semicolons."""
    found = list(items)
    has_commas = any("," in (one.text if isinstance(one, Item) else one) for one in found)
    return _sentence(label, found, role, Joint.SEMICOLONS if has_commas else Joint.AND)


def names(label: str, items: Iterable[str]) -> Sentence:
    """A sentence that says of whom the others tell: "People: Anna and Jo"."""
    return _sentence(f"{label}:", items, Role.NAMES, Joint.AND)


def _sentence(
    opening: str, items: Iterable[str | Item], role: Role = Role.CURRENT, joint: Joint = Joint.SEMICOLONS
) -> Sentence:
    """A sentence with each item once; it says nothing where there is none."""
    unique = {one.text: one for one in (one if isinstance(one, Item) else Item(one) for one in items)}
    return Sentence(opening if unique else "", list(unique.values()), role, joint)


def quoted(memories: Iterable[_Stated]) -> list[Item]:
    """The words of memories, in quotes."""
    return [Item(in_quotes(one.text), one.text) for one in memories]


def in_quotes(text: str) -> str:
    """The text in quotes, of which it has none itself."""
    return f"“{text.replace('“', '‘').replace('”', '’').rstrip('. ')}”"
