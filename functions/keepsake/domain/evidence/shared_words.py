"""Checks whether a statement is about what its quote is about: it repeats a word of it, in any form."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.dates import unsupported_dates
from keepsake.domain.evidence.grounds import Grounds, Said
from keepsake.domain.evidence.language_words import number_names
from keepsake.domain.evidence.text_forms import folded_words, stems, stopwords
from keepsake.domain.evidence.written_dates import find_dates

_FIGURES = re.compile(r"\d+")
_INITIALS = range(2, 5)
"""Letters of an abbreviation."""


def shares_word(statement: str, quote: Said, language: str = "") -> bool:
    """Whether a statement and its quote have a word in common, in some form.

    That is a stem of four letters (two characters in scripts without blanks), another word for the same relative, the
    same number in words and figures, an abbreviation, or a date that follows from the quote. Words without a meaning do
    not count unless the quote has no others.
    """
    content = stems(" ".join(_content(quote.text))) or stems(quote.text)
    if content & stems(statement):
        return True
    if _relations(statement) & _relations(quote.text) or _numbers(statement) & _numbers(quote.text):
        return True
    if _spells_out(statement, quote.text) or _spells_out(quote.text, statement):
        return True
    grounds = Grounds((quote,), language=language)
    dates = find_dates(statement, grounds.languages, is_statement=True)
    return bool(dates) and not unsupported_dates(statement, grounds)


def _content(text: str) -> list[str]:
    return [word for word in folded_words(text) if word not in stopwords()]


def _relations(text: str) -> frozenset[str]:
    return frozenset(filter(None, (kinship_of(word.removesuffix("'s")) for word in folded_words(text))))


def _numbers(text: str) -> frozenset[str]:
    names = number_names(frozenset({"en"}))
    words = folded_words(text)
    figures = (figure for word in words for figure in _FIGURES.findall(word))
    return frozenset(figures) | {str(names[word]) for word in words if word in names}


def _spells_out(long: str, short: str) -> bool:
    """Whether some words of a text have the initials that a word of the other consists of ("JW")."""
    initials = "".join(word[0] for word in folded_words(long))
    return any(len(word) in _INITIALS and word in initials for word in _content(short))
