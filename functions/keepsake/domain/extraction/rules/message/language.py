"""Recognizes messages and sentences that the rules, which know English, cannot read."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.text import word_set

_OTHER_WORDS = load_words("foreign_words", __package__)
_ENGLISH_TOO = word_set("main mein los las ka ki bin hun mam anak werk suka bor mia mio mit mon")
"""Words of the list that occur in English as well, in names above all: they count only beside others."""
_POSSESSIVE = re.compile(
    r"(?<![\w'-])(?:mi|mis|mein|meine|meinen|meinem|mes|mia|meu|minha|mijn|mitt|moja|mera|meri|mere|ma) (?=[a-zà-ÿ]{3})"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NON_LATIN = re.compile(r"[^\x00-\u024F\u2000-\u2BFF\uFE0F\U0001F000-\U0001FAFF]")
_MAX_LATIN_SHARE = 0.3
_MAX_LENGTH = 2_000
_SHORT = 5


def is_other_script(text: str) -> bool:
    """Whether a good part of the letters are not Latin."""
    if text.isascii():
        return False
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_NON_LATIN.findall(text)) > letters * _MAX_LATIN_SHARE


def is_other_language(text: str) -> bool:
    """Whether a sentence, or a message, has words of another language that the rules would have to understand."""
    said = [word.lower() for word in _WORD.findall(text[:_MAX_LENGTH])]
    found = [word for word in said if word in _OTHER_WORDS]
    certain = [word for word in found if word not in _ENGLISH_TOO]
    if len(found) > 1 and certain:
        return True
    return bool(certain) and len(said) <= _SHORT


def is_fragment(text: str) -> bool:
    """Whether a statement ends in words of another language ("I love mi familia")."""
    return _POSSESSIVE.search(text) is not None


def is_unreadable(message: str) -> bool:
    """Whether the rules cannot read a message because of its language."""
    return is_other_script(message) or is_other_language(message)
