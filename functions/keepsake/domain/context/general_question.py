"""Recognizes questions about the world, such as "Who painted the Mona Lisa?", which concern no memory by one word."""

from __future__ import annotations

import re
from collections.abc import Collection

from keepsake.domain.context.query import extract_query
from keepsake.domain.english.load_word_lists import load_sections

_SECTIONS = load_sections("general_questions", __package__)
_BEGINNINGS, _PERSONAL = frozenset(_SECTIONS["beginnings"]), frozenset(_SECTIONS["personal"])
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


def names_one_of(message: str, stems: Collection[str]) -> bool:
    """Whether the message contains a name, which begins with one of the stems."""
    names = [name.lower() for name in _NAME.findall(message)]
    return any(len(stem) >= _MIN_STEM and name.startswith(stem) for stem in stems for name in names)
