"""Makes the text of a statement a whole one: no loose ends, and "an" before a vowel; or finds that it is none."""

from __future__ import annotations

import re

from keepsake.domain.english.indefinite_article import correct_articles
from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("whole_texts")
_NOT_WHOLE = re.compile(rf"{_WORDS['not_whole']}")
_WISHED = re.compile(rf"\W{{0,4}}{_WORDS['wished']}", re.IGNORECASE)
_TAIL = re.compile(rf"{_WORDS['tails']}$", re.IGNORECASE)
_OPEN_BRACKET = re.compile(r",? \([^()]{0,200}$")
_MIN_WORDS = 2
_MAX_TAILS = 3


def make_whole(text: str, quote: str) -> str | None:
    """The text without what is left of another clause at its end; None where it is no whole statement."""
    whole = text
    for _ in range(_MAX_TAILS):
        whole = _OPEN_BRACKET.sub("", _TAIL.sub("", whole))
    if _NOT_WHOLE.fullmatch(whole) or _WISHED.match(quote) or len(whole.split()) < min(_MIN_WORDS, len(text.split())):
        return None
    return correct_articles(whole)
