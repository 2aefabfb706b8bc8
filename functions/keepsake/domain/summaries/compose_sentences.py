"""The sentences of a summary without a model: they count and quote what is stored, and add nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import truncate_words

DateWords = Callable[[date], str]
"""Says a date; a summary of one day has none."""
Sentence = Callable[[int], str]
"""Writes a sentence with at most this many items; empty where there is nothing to say."""

_ATTEMPTS = (12, 8, 5, 3, 2, 1)


def weekday(day: date) -> str:
    """A day within a week: "Monday"."""
    return WEEKDAYS[day.weekday()].capitalize()


def day_of_month(day: date) -> str:
    """A day within a year: "12 October"."""
    return f"{day.day} {MONTHS[day.month - 1]}"


def compose(sentences: Sequence[Sentence], limit: int) -> str:
    """The sentences within ``limit`` characters: with as many items each as fit, at least one."""
    for max_items in _ATTEMPTS:
        text = " ".join(filter(None, (write(max_items) for write in sentences)))
        if len(text) <= limit:
            return text
    return truncate_words(text, limit)


def fit(texts: Sequence[str], limit: int) -> str:
    """The texts within ``limit`` characters, where each may have its share, and what the others leave of theirs."""
    present = [text for text in texts if text]
    limits = [max(limit // len(present), limit - sum(map(len, present)) + len(text)) - 1 for text in present]
    return " ".join(truncate_words(text, length) for text, length in zip(present, limits, strict=True))


def listing(label: str, items: Iterable[str]) -> Sentence:
    """A sentence that lists: "New: “Likes pizza”, “Has a dog” and 2 more"."""
    unique = list(dict.fromkeys(items))

    def write(max_items: int) -> str:
        return f"{label}: {enumerate_items(unique, max_items)}." if unique else ""

    return write


def series(label: str, items: Iterable[str]) -> Sentence:
    """A sentence that lists phrases: "New: has a dog; likes pizza; and 2 more"."""
    unique = list(dict.fromkeys(items))

    def write(max_items: int) -> str:
        shown = unique[:max_items]
        if len(unique) > max_items:
            shown.append(f"and {len(unique) - max_items} more")
        return f"{label} {'; '.join(shown)}." if unique else ""

    return write


def chronicle(label: str, items: Sequence[tuple[str, int]]) -> Sentence:
    """A series of phrases with their importance, which keeps its order and leaves out the least important."""
    unique = list(dict(items).items())

    def write(max_items: int) -> str:
        by_importance = sorted(range(len(unique)), key=lambda index: -unique[index][1])[:max_items]
        shown = [unique[index][0] for index in sorted(by_importance)]
        if len(unique) > max_items:
            shown.append(f"and {len(unique) - max_items} more")
        return f"{label} {'; '.join(shown)}." if unique else ""

    return write


def enumeration(label: str, items: Iterable[str]) -> Sentence:
    """A sentence that joins phrases: "Felt tired (Monday) and happy (Friday)"; those with commas by semicolons."""
    unique = list(dict.fromkeys(items))
    has_commas = any("," in item for item in unique)

    def write(max_items: int) -> str:
        if has_commas:
            return series(label, unique)(max_items)
        return f"{label} {enumerate_items(unique, max_items)}." if unique else ""

    return write


def quoted(memories: Iterable[SourceMemory]) -> list[str]:
    """The words of memories, in quotes."""
    return [in_quotes(one.text) for one in memories]


def mentioned(memories: Iterable[SourceMemory]) -> list[str]:
    """Whom and what several memories are about, most often first: "Anna (3 times)"; a memory names others itself."""
    counts = Counter(one.subject for one in memories if one.subject)
    by_count = sorted(counts.items(), key=lambda item: -item[1])
    return [f"{name} ({count} times)" for name, count in by_count if count > 1]


def in_quotes(text: str) -> str:
    """The text in quotes, of which it has none itself."""
    return f"“{text.replace('“', '‘').replace('”', '’').rstrip('. ')}”"


def enumerate_items(items: Sequence[str], max_items: int) -> str:
    """The first items, and how many more there are."""
    shown = list(items[:max_items])
    if len(items) > max_items:
        shown.append(f"{len(items) - max_items} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
