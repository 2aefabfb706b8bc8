"""The forms in which evidence is compared: letters without accents, the words of a text, and stems in any script."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.text import normalize_apostrophes, strip_invisible

MIN_STEM = 4
"""Letters that two forms of a word must begin with."""

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})
_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
"""Accents, and the points of Hebrew and Arabic, which most people leave out."""
_INDIAN = "\u0900-\u0903\u093a-\u094f\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a51\u0a81-\u0acd"
_ASIAN = "\u0d00-\u0d57\u0e31-\u0e4e\u0eb1-\u0ecd\u1036-\u103a\u17b6-\u17d3"
_MARKS = f"{_INDIAN}{_ASIAN}\u0b01-\u0b57\u0b82-\u0bcd\u0c00-\u0c56\u0c81-\u0cd6"
LETTER = f"(?:[^\\W_]|[{_MARKS}])"
"""A letter or a figure, or a mark that belongs to the letter before it."""
_WORD = re.compile(f"{LETTER}+(?:'{LETTER}+)*")
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
"""Characters of scripts without blanks between words, and of Korean, which joins endings to words."""
_SHORT_WORDS = re.compile("[\u0530-\u07bf\u0900-\u0dff\u0f00-\u0fff\u10a0-\u10ff\u1200-\u137f]")
"""Scripts in which three letters are a good part of a word, and words have prefixes."""
_MAX_LENGTH = 8_000


@lru_cache(maxsize=512)
def fold(text: str) -> str:
    """Lower case, in visible characters, without the accents of Latin, Greek and Cyrillic letters."""
    visible = normalize_apostrophes(strip_invisible(text[:_MAX_LENGTH])).casefold().translate(_LETTERS)
    if visible.isascii():
        return visible
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", visible)))


@lru_cache(maxsize=512)
def folded_words(text: str) -> tuple[str, ...]:
    """The words of a text, folded, in their order."""
    return tuple(_WORD.findall(fold(text)))


def has_no_spaces(text: str) -> bool:
    """Whether a text has characters of a script that puts no blanks between words."""
    return _SPACELESS.search(text) is not None


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """What two forms of a word have in common, for each word of a text.

    That is the first four letters; in scripts without blanks any two characters; in scripts of short words any three.
    A shorter word is its own stem.
    """
    found: set[str] = set()
    for word in folded_words(text):
        bare = max(word.split("'"), key=len)
        if _SPACELESS.search(word):
            found.update(_pieces("".join(_SPACELESS.findall(word)), 2))
        elif _SHORT_WORDS.search(word):
            found.update(_pieces(word, 3))
        else:
            found.add(bare[:MIN_STEM])
    return frozenset(found)


def _pieces(word: str, length: int) -> set[str]:
    return {word[start : start + length] for start in range(max(1, len(word) - length + 1))}


def stopwords() -> frozenset[str]:
    """English words that carry no meaning of their own."""
    return load_words("stopwords", __package__)
