"""The indefinite article, by how a word sounds: "an apple", "a user", "an hour"."""

from __future__ import annotations

import re

_BEGINS_WITH_VOWEL = re.compile(
    r"(?!(?:uni(?!n|m)|u[cfkqrst][aeiou]|uk\b|ukr|eu|ewe|one\b|once\b))[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE
)


_ABBREVIATION = re.compile(r"[AEFHILMNORSX][A-Z]{1,4}\b")
"""Spelled out, it begins with a vowel: "an MBA", "an RV"."""

_ARTICLE = re.compile(r"\ba (?P<word>[A-Z]{2,5}\b|[a-z]{3,})")


def with_article(text: str) -> str:
    """The text with its indefinite article before it."""
    is_vowel = _BEGINS_WITH_VOWEL if not text[:2].isupper() else _ABBREVIATION
    return f"{'an' if is_vowel.match(text) else 'a'} {text}"


def correct_articles(text: str) -> str:
    """The text with "an" for "a" where the next word asks for it."""
    return _ARTICLE.sub(lambda match: with_article(match["word"]), text)
