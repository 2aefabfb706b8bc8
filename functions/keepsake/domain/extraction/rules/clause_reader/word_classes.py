"""The classes of words by which clauses are read, from ``data/words.txt``."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_sections

CLASSES = {section: frozenset(entries) for section, entries in load_sections("words", __package__).items()}


def is_in(section: str, *words: str) -> bool:
    """Whether a class contains one of the words."""
    return not CLASSES[section].isdisjoint(words)
