"""The indefinite article, by how a word sounds: "an apple", "a user", "an hour"."""

from __future__ import annotations

import re

_BEGINS_WITH_VOWEL = re.compile(
    r"(?!(?:uni(?!n|m)|u[cfkqrst][aeiou]|uk\b|us\b|ukr|eu|ewe|one\b|once\b))[aeiou]|hour|honest|honou?r|heir",
    re.IGNORECASE,
)

_ARTICLE = re.compile(rf"(?<![\w'.-])a(?= (?-i:(?=[a-z]{{2}}))(?:{_BEGINS_WITH_VOWEL.pattern}))")


def with_article(text: str) -> str:
    """The text with its indefinite article before it."""
    return f"{'an' if _BEGINS_WITH_VOWEL.match(text) else 'a'} {text}"


def correct_articles(text: str) -> str:
    """The text with "an" for each "a" before a vowel: "a old lab" is "an old lab"."""
    return _ARTICLE.sub("an", text)
