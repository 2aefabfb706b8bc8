"""Recognizes what may be a command in words that no command has, so that nobody confirms what was not carried out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.text import normalize_apostrophes, stem, word_set, words

_PATTERNS = load_alternations("requests", __package__)
_BEGINNING = rf"(?:^|[.!?\n,;:] ?){_PATTERNS['address']}{{0,4}}"
_REQUEST, _SILENCE = (re.compile(_BEGINNING + _PATTERNS[name]) for name in ("requests", "silence"))
_OTHER_REQUEST = re.compile(_PATTERNS["other_requests"])
_SENTENCE, _CLAUSE = re.compile(r"[^.!?\n]+[.!?]*"), re.compile(r"[^.!?\n,;:]+")
_FOLLOW_UP = re.compile(rf"{_PATTERNS['follow_ups']}[ .!?]{{0,4}}(?:please|pls)?[ .!?]{{0,4}}")
_OWN_STATEMENT = re.compile(rf"\b{_PATTERNS['own_statement']}\b")
_MAX_FOLLOW_UP = 60
_MAX_LENGTH = 400
_MIN_LETTERS = 3
_COMMON = word_set("""
    the and that this what you your please about again ever never not don't mention forget remember bring stop with for
    has have had was are were they their them from said say told like likes want can could would will works lives
""")

NOTICE = (
    "No memory was changed by this message. If it asks to forget, to undo, to restore or never to mention something, "
    "that was not carried out: do not confirm it and do not name what it is about, but ask what exactly they mean."
)
"""What the assistant is told of such a message."""


def may_be_command(message: str) -> bool:
    """Whether a message that is no command may be meant as one; a longer one tells of something else."""
    said = _normalize(message)
    if len(said) > _MAX_LENGTH or _REQUEST.search(said) is None:
        return False
    return _has_request(_REQUEST, _SENTENCE.findall(said)) or _has_request(_SILENCE, _CLAUSE.findall(said))


def may_follow_command(message: str) -> bool:
    """Whether a message says nothing by itself, but goes on with the one before: "and the dog too"."""
    said = _normalize(message)
    is_short = len(said) <= _MAX_FOLLOW_UP
    return is_short and _FOLLOW_UP.fullmatch(said) is not None and _OWN_STATEMENT.search(said) is None


def _has_request(request: re.Pattern[str], parts: Sequence[str]) -> bool:
    """Whether a part asks so, and for nothing else."""
    return any(request.search(part.strip()) and not _OTHER_REQUEST.search(part) for part in parts)


def _normalize(message: str) -> str:
    return normalize_apostrophes(message).casefold().strip()


def unwanted_stems(message: str) -> set[str]:
    """The stems of what a message asks not to be told of; none where it asks for no silence."""
    is_wanted = _SILENCE.search(_normalize(message)) is None or not may_be_command(message)
    return set() if is_wanted else _stems(message)


def has_stem(memory: str, stems: set[str]) -> bool:
    """Whether a memory has a word with one of the stems."""
    return not stems.isdisjoint(_stems(memory))


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text) if len(word) >= _MIN_LETTERS and word not in _COMMON}
