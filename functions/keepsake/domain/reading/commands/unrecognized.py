"""Recognizes what may be a command that is not understood, so that nobody confirms what was not carried out."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.similarity import content_words
from keepsake.domain.reading.commands.command_words import class_of
from keepsake.domain.reading.commands.find_request import best_score
from keepsake.domain.text import normalize_apostrophes, words

_SECTIONS = load_sections("requests", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_SAYS_LITTLE = content_words(" ".join(_WORDS["says_little"]))
_MAX_FOLLOW_UP = 60
_MAX_LENGTH = 400

NOTICE = (
    "No memory was changed by this message. If it asks to forget, to undo, to restore or never to mention something, "
    "that was not carried out: do not confirm it and do not name what it is about, but ask what exactly they mean."
)
"""What the assistant is told of such a message."""


def may_be_command(message: str) -> bool:
    """Whether a message that is no command may be meant as one; a longer one tells of something else."""
    is_said = any(_is_for_silence(one) or one.startswith(_SECTIONS["other_languages"]) for one in _clauses(message))
    return is_said or (len(message) <= _MAX_LENGTH and best_score(message) > 0.0)


def may_follow_command(message: str) -> bool:
    """Whether a message says nothing by itself, but goes on with the one before: "and the dog too"."""
    said = [word for word in words(message) if word not in _WORDS["fillers"]]
    if len(message) > _MAX_FOLLOW_UP or len(said) < 2 or not _WORDS["own_statement"].isdisjoint(said):
        return False
    goes_on = said[0] in _WORDS["more"] or said[-1] in _WORDS["also"] or said[-2:] == ["as", "well"]
    return goes_on or (said[0] == "same" and said[1] in ("for", "goes", "with"))


def unwanted_stems(message: str) -> set[str]:
    """The stems of what a message asks never to be told of ("stop mentioning my ex"); none where it asks nothing."""
    return _stems(message) - _SAYS_LITTLE if any(map(_is_for_silence, _clauses(message))) else set()


def has_stem(memory: str, stems: set[str]) -> bool:
    """Whether a memory has a word with one of the stems."""
    return not stems.isdisjoint(_stems(memory))


def _stems(text: str) -> set[str]:
    """The stems of the words that carry the meaning of a text; "my ex's dog" has that of "ex"."""
    return content_words(normalize_apostrophes(text).replace("'s ", " "))


def _clauses(message: str) -> list[str]:
    """What stands between the marks of a message, in small letters; nothing of a long message."""
    said = normalize_apostrophes(message).strip().casefold()
    return re.split(r"[.!?,;:\n]\s*", said) if len(message) <= _MAX_LENGTH else []


def _is_for_silence(clause: str) -> bool:
    """Whether a clause has a verb of telling and a denial: as its first word, or anywhere behind a polite one."""
    first, *others = clause.split() or [""]
    said = others if first in _WORDS["polite"] else [first]
    is_denied = any(class_of(word) == "not" for word in said)
    return is_denied and any(f" {verb}" in f" {clause}" for verb in _SECTIONS["mentions"])
