"""Checks whether a statement denies what the quoted clause says, or says what it denies."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.evidence.clauses_around import Passage
from keepsake.domain.evidence.speaker_words import has_speaker_words
from keepsake.domain.evidence.text_forms import stems, stopwords

_NEGATED_AFTERWARDS = frozenset({"de", "nl", "sv", "no", "da", "tr", "hi"})
"""Languages whose negations also stand after what they deny."""
_MIN_SHARE = 0.5
"""The share of a clause's words that have to be the quoted ones: a freely worded statement cannot be compared."""


def has_other_polarity(statement: str, message: str, quote: str, language: str) -> bool:
    """Whether a clause of the statement is negated, and the clause of the message with the same words is not.

    The clause around the quote counts, so that cutting off "not" helps nobody. Words that deny without a negation
    ("quit", "allergic") may stand on either side. Without word lists of the language nothing is found.
    """
    if not has_speaker_words(language):
        return False
    said, stated = Passage(message, quote, language), Passage(statement, statement, language)
    if said.span is None:
        return False
    quoted = said.clauses(*said.span)
    clauses = stated.clauses()
    if any(_is_negated(said, one) for one in quoted) and any(_is_negated(stated, one) for one in clauses):
        return False
    return any(_contradicts(stated, clause, said, quoted) for clause in clauses)


def _contradicts(stated: Passage, clause: Sequence[int], said: Passage, quoted: Sequence[Sequence[int]]) -> bool:
    wanted = _content(stated, clause)
    shared = [(len(wanted & _content(said, other)), other) for other in quoted]
    most, best = max(shared, key=lambda one: one[0], default=(0, ()))
    if not wanted or most < _MIN_SHARE * len(wanted):
        return False
    if _reversing(stated, clause) != _reversing(said, best):
        return False
    return _is_negated(said, best, wanted) != _is_negated(stated, clause)


def _content(passage: Passage, clause: Sequence[int]) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    words = (index for index in clause if passage.tokens[index] not in stopwords())
    words = (index for index in words if not passage.kinds(index) & {"not", "changed", "small", "my", "i"})
    return frozenset(stem for index in words for stem in stems(passage.tokens[index]))


def _is_negated(passage: Passage, clause: Sequence[int], wanted: frozenset[str] = frozenset()) -> bool:
    """Whether a clause has a negation; with ``wanted`` stems, one that stands before a word with such a stem."""
    places = [index for index in clause if "not" in passage.kinds(index)]
    if not wanted or passage.language in _NEGATED_AFTERWARDS:
        return bool(places)
    return any(stems(passage.tokens[index]) & wanted for index in clause if places and index > places[0])


def _reversing(passage: Passage, clause: Sequence[int]) -> frozenset[str]:
    """The stems of words that deny without a negation."""
    words = (passage.tokens[index] for index in clause if "reverse" in passage.kinds(index))
    return frozenset(stem for word in words for stem in stems(word))
