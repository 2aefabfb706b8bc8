"""Recognizes what may be a command in words that no command has, so that nobody confirms what was not carried out."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.english.similarity import content_words
from keepsake.domain.reading.commands.politeness import strip_politeness
from keepsake.domain.text import normalize_apostrophes, words

_PATTERNS = load_alternations("requests", __package__)
_REQUEST, _SILENCE, _FOLLOW_UP = (re.compile(rf"\A{_PATTERNS[name]}") for name in ("requests", "silence", "follow_ups"))
_OTHER_REQUEST = re.compile(_PATTERNS["other_requests"])
_STATEMENT = frozenset(load_sections("requests", __package__)["own_statement"])
_CLAUSE = re.compile(r"[^.!?\n,;:]+")
_SAYS_LITTLE = content_words(" ".join(load_sections("requests", __package__)["says_little"]))
_MAX_FOLLOW_UP = 60
_MAX_LENGTH = 400

NOTICE = (
    "No memory was changed by this message. If it asks to forget, to undo, to restore or never to mention something, "
    "that was not carried out: do not confirm it and do not name what it is about, but ask what exactly they mean."
)
"""What the assistant is told of such a message."""


def may_be_command(message: str) -> bool:
    """Whether a message that is no command may be meant as one; a longer one tells of something else."""
    return _has_clause(message, _REQUEST)


def may_follow_command(message: str) -> bool:
    """Whether a message says nothing by itself, but goes on with the one before: "and the dog too"."""
    said = _normalize(message)
    is_follow_up = len(said) <= _MAX_FOLLOW_UP and _FOLLOW_UP.fullmatch(said.rstrip(" .!?")) is not None
    return is_follow_up and _STATEMENT.isdisjoint(words(said))


def unwanted_stems(message: str) -> set[str]:
    """The stems of what a message asks not to be told of; none where it asks for no silence."""
    return _stems(message) - _SAYS_LITTLE if _has_clause(message, _SILENCE) else set()


def has_stem(memory: str, stems: set[str]) -> bool:
    """Whether a memory has a word with one of the stems."""
    return not stems.isdisjoint(_stems(memory))


def _stems(text: str) -> set[str]:
    return content_words(normalize_apostrophes(text).replace("'s ", " "))


def _has_clause(message: str, request: re.Pattern[str]) -> bool:
    """Whether a clause of a short message, without what is polite before it, asks so, and for nothing else."""
    said = _normalize(message)
    clauses = _CLAUSE.findall(said) if len(said) <= _MAX_LENGTH else []
    return any(request.match(strip_politeness(clause)) and not _OTHER_REQUEST.search(clause) for clause in clauses)


def _normalize(message: str) -> str:
    return normalize_apostrophes(message).casefold().strip()
