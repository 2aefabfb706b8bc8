"""The words of many languages that say when and how much: one line of ``data/`` a language, kind and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.evidence.text_forms import fold
from keepsake.domain.evidence.word_table import WordTable
from keepsake.domain.text import word_set

_INFLECTED = word_set("pl cs sk hr sl sr ru uk be bg lt lv et fi hu tr el is eu az hy ka")
"""Languages in which the name of a month or weekday changes its end in a sentence."""
_MIN_INFLECTED = 4


@cache
def time_words(languages: frozenset[str]) -> WordTable:
    """The words for days, units of time and directions."""
    return WordTable(((kind, ""), word) for _, kind, *names in _rows("time_words", languages) for word in names)


@cache
def calendar_names(languages: frozenset[str]) -> WordTable:
    """The names of months (1 to 12) and weekdays (0 is Monday)."""
    kinds: Mapping[str, str] = {"m": "month", "d": "weekday"}
    return WordTable(
        ((kinds[kind], number), form)
        for language, kind, number, *names in _rows("calendar_names", languages)
        for name in names
        for form in _forms(language, name)
    )


def month_names(languages: frozenset[str]) -> frozenset[str]:
    """The names of months, with ``*`` where endings follow."""
    rows = _rows("calendar_names", languages)
    return frozenset(
        form for language, kind, _, *names in rows if kind == "m" for name in names for form in _forms(language, name)
    )


def _forms(language: str, name: str) -> tuple[str, ...]:
    """A name, and its beginning where a language changes its end."""
    is_long = len(name) >= _MIN_INFLECTED + name.isascii()
    is_inflected = language in _INFLECTED and is_long
    return (name, f"{name[:-1]}*") if is_inflected else (name,)


@cache
def number_names(languages: frozenset[str], kinds: str = "co") -> Mapping[str, int]:
    """The numbers in words: cardinals (``c``) and ordinals (``o``)."""
    return {
        fold(name): int(number)
        for _, kind, number, *names in _rows("number_names", languages)
        for name in names
        if kind in kinds
    }


@cache
def has_time_words(language: str) -> bool:
    """Whether the words that say when are known of a language."""
    return any(line.partition(" ")[0] == language for line in load_lines("time_words", __package__))


def _rows(name: str, languages: frozenset[str]) -> list[list[str]]:
    """The rows of a file in some languages; all where none is named."""
    rows = [line.split() for line in load_lines(name, __package__)]
    return [row for row in rows if not languages or row[0] in languages]
