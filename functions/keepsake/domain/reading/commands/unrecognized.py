"""Recognizes what may be a command in words that no command has, so that nobody confirms what was not carried out."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.similarity import content_words
from keepsake.domain.reading.commands.recognize import strip_politeness
from keepsake.domain.text import normalize_apostrophes, words

_SECTIONS = load_sections("requests", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_SILENCE, _REQUESTS, _OTHER_REQUESTS = (
    tuple(one.removesuffix("*") if one.endswith("*") else f"{one} " for one in _SECTIONS[name])
    for name in ("silence", "requests", "other_requests")
)
_SAYS_LITTLE = content_words(" ".join(_WORDS["says_little"]))
_BETWEEN_CLAUSES = str.maketrans(dict.fromkeys(".!?,;:", "\n"))
_MAX_FOLLOW_UP = 60
_MAX_LENGTH = 400

NOTICE = (
    "No memory was changed by this message. If it asks to forget, to undo, to restore or never to mention something, "
    "that was not carried out: do not confirm it and do not name what it is about, but ask what exactly they mean."
)
"""What the assistant is told of such a message."""


def may_be_command(message: str) -> bool:
    """Whether a message that is no command may be meant as one; a longer one tells of something else."""
    return _has_clause(message, (*_SILENCE, *_REQUESTS))


def may_follow_command(message: str) -> bool:
    """Whether a message says nothing by itself, but goes on with the one before: "and the dog too"."""
    said = [word for word in words(message) if word not in _WORDS["fillers"]]
    if len(message) > _MAX_FOLLOW_UP or len(said) < 2 or not _WORDS["own_statement"].isdisjoint(said):
        return False
    goes_on = said[0] in _WORDS["more"] or said[-1] in _WORDS["also"] or said[-2:] == ["as", "well"]
    return goes_on or (said[0] == "same" and said[1] in ("for", "goes", "with"))


def unwanted_stems(message: str) -> set[str]:
    """The stems of what a message asks not to be told of; none where it asks for no silence."""
    return _stems(message) - _SAYS_LITTLE if _has_clause(message, _SILENCE) else set()


def has_stem(memory: str, stems: set[str]) -> bool:
    """Whether a memory has a word with one of the stems."""
    return not stems.isdisjoint(_stems(memory))


def _stems(text: str) -> set[str]:
    return content_words(normalize_apostrophes(text).replace("'s ", " "))


def _has_clause(message: str, beginnings: tuple[str, ...]) -> bool:
    """Whether a clause of a short message, without what is polite before it, begins so, and asks for nothing else."""
    said = normalize_apostrophes(message).casefold().replace("do not ", "don't ").replace("never ", "don't ")
    clauses = said.translate(_BETWEEN_CLAUSES).split("\n") if len(said) <= _MAX_LENGTH else []
    spoken = (f"{strip_politeness(clause)} ".replace("don't ever ", "don't ") for clause in clauses)
    return any(clause.startswith(beginnings) and not _is_of_other_things(clause) for clause in spoken)


def _is_of_other_things(clause: str) -> bool:
    """Whether a request is about no memory: "delete the second paragraph"."""
    said = set(clause.split())
    has_thing = not _WORDS["things"].isdisjoint(said) and "my" not in said
    return has_thing or clause.startswith(_OTHER_REQUESTS)
