"""The words that show of whom a clause speaks and whether it denies, by language, from ``data/speaker_words.txt``."""

from __future__ import annotations

from functools import cache, lru_cache

from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.evidence.text_forms import folded_words
from keepsake.domain.evidence.word_table import WordTable

_MAX_LENGTH = 1000
"""Characters by which a language is guessed."""
_MIN_LEAD = 2
"""Little words by which a language has to be ahead of every other."""


@cache
def speaker_words(language: str) -> WordTable:
    """The words of a language that show of whom a clause speaks; of English too where people mix it in."""
    rows = (line.split() for line in load_lines("speaker_words", __package__))
    return WordTable(
        ((kind, words.partition("=")[0] if "=" in words else ""), word)
        for code, kind, *groups in rows
        if code == language
        for words in groups
        for word in words.split("=")
    )


@cache
def has_speaker_words(language: str) -> bool:
    """Whether the list has words of a language."""
    return any(line.partition(" ")[0] == language for line in load_lines("speaker_words", __package__))


@lru_cache(maxsize=64)
def guess_language(text: str, *, may_be_english: bool = False) -> str:
    """The language whose little words a text has most of; empty where none is ahead. English wins a draw if it may."""
    text = text[:_MAX_LENGTH]
    words = folded_words(text)
    counts = {
        language: sum(bool(speaker_words(language).senses(word)) for word in words)
        + len(speaker_words(language).pieces(text))
        for language in _languages()
    }
    if may_be_english and counts["en"] >= max(1, *counts.values()):
        return "en"
    best = sorted(counts, key=lambda language: -counts[language])[:2]
    return best[0] if counts[best[0]] >= counts[best[1]] + _MIN_LEAD else ""


@cache
def _languages() -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.partition(" ")[0] for line in load_lines("speaker_words", __package__)))
