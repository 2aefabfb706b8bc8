"""Recognizes what concerns no memory by one word: questions about the world ("Who painted it?"), and work on a text."""

from __future__ import annotations

import re
from collections.abc import Collection

from keepsake.domain.context.query import extract_query
from keepsake.domain.english.load_word_lists import load_sections

_SECTIONS = load_sections("general_questions", __package__)
_TASKS = frozenset(_SECTIONS["tasks"])
_BEGINNINGS = _TASKS.union(_SECTIONS["beginnings"])
_PERSONAL = frozenset(_SECTIONS["personal"])
_WORD = re.compile(r"[a-z]+")
_NAME = re.compile(r"(?<=[\w,;:'\"] )[A-Z]\w+")
_MIN_STEM = 3


def is_general_question(message: str) -> bool:
    """Whether the message asks, in English, for something of the world, and nothing for the person or their day."""
    subject = _WORD.findall(extract_query(message).lower())
    if not subject or subject[0] not in _BEGINNINGS:
        return False
    words = _WORD.findall(message.lower())
    return _PERSONAL.isdisjoint(words[words.index(subject[0]) :])


def is_work_on_a_text(message: str) -> bool:
    """Whether the message begins with a request for work on a text, a sum or a program."""
    first = _WORD.search(extract_query(message).lower())
    return first is not None and first[0] in _TASKS


def names_one_of(message: str, stems: Collection[str]) -> bool:
    """Whether the message contains a name, which begins with one of the stems."""
    names = [name.lower() for name in _NAME.findall(message)]
    return any(len(stem) >= _MIN_STEM and name.startswith(stem) for stem in stems for name in names)
