"""Normalizes a message before it is split into clauses: chat spellings, misspelled words, capitals.

What is found in the normalized text is quoted from the original, so each character knows where it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import methodcaller

from rapidfuzz.distance import OSA

from keepsake.domain.english.grammar.word_forms import CLASSES, is_known_word
from keepsake.domain.english.kinship import RELATION_OF
from keepsake.domain.english.load_word_lists import load_pairs, load_sections, load_words
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.english.word_groups import JOBS, MONTHS, ROLES, WEEKDAYS
from keepsake.domain.text import normalize_apostrophes

_MIN_SHOUTED = 12
_SHOUTED_SHARE = 0.7
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))
_SENTENCE = re.compile(r"[^.!?\n]++")
_LENGTHS = range(5, 21)
_MIN_LENGTH_OF_LISTED = 6
_REWRITES = tuple(
    (re.compile("".join(row["pattern"]), re.IGNORECASE), str(row["replacement"]))
    for row in read_toml("data/rewrites.toml", __package__)["rewrite"]
)


_PEOPLE = frozenset(word for word in JOBS | ROLES if len(word) > _MIN_LENGTH_OF_LISTED) | RELATION_OF.keys()
_SPELLINGS = load_pairs("spellings")
_WORD = re.compile(r"(?<![\w'/.@#-])[\w'/-]++(?!@)")
"""A word, no part of an address or a longer word."""


@dataclass(frozen=True, slots=True)
class NormalizedMessage:
    """A message in standard words; ``origins`` says for each character, and for the end, where it stands in it."""

    original: str
    text: str
    origins: Sequence[int]

    def quote(self, start: int, end: int) -> str:
        """The words of the original between two indexes of the normalized text."""
        return self.original[self.origins[start] : self.origins[end]]


@lru_cache(maxsize=8)  # clauses and statements of one message are read from the same form
def normalize_message(text: str) -> NormalizedMessage:
    """The message in standard spelling."""
    lines = _SENTENCE.sub(_without_shouting, normalize_apostrophes(text).translate(_LINE_ENDS))
    message = NormalizedMessage(text, lines, range(len(text) + 1))
    message = _replace(message, _WORD, lambda match: _SPELLINGS.get(match[0]) or _corrected(match[0]))
    for pattern, replacement in _REWRITES:
        message = _replace(message, pattern, methodcaller("expand", replacement))
    return message


def _without_shouting(match: re.Match[str]) -> str:
    """A sentence as it is, or in lower case, of the same length, where it is written in capitals."""
    letters = [character for character in match[0] if character.isalpha()]
    if len(letters) < _MIN_SHOUTED or sum(map(str.isupper, letters)) <= len(letters) * _SHOUTED_SHARE:
        return match[0]
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in match[0])


def _replace(
    message: NormalizedMessage, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]
) -> NormalizedMessage:
    """The message with every match replaced."""
    text: list[str] = []
    origins: list[int] = []
    last = 0
    for match in pattern.finditer(message.text):
        start, words = match.start(), replacement(match)
        if words != match[0]:
            text += (message.text[last:start], words)
            origins += (*message.origins[last:start], *[message.origins[start]] * len(words))
            last = match.end()
    text.append(message.text[last:])
    return NormalizedMessage(message.original, "".join(text), (*origins, *message.origins[last:]))


@lru_cache(16_384)
def _corrected(word: str) -> str:
    """The only listed word that is one letter from a word no dictionary has; the word itself where there is no such."""
    if len(word) not in _LENGTHS or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    listed = _listed_words()
    if word in listed or word.removesuffix("s") in listed or is_known_word(word):
        return word
    near = [other for other in listed if _is_near(word, other)]
    return near[0] if len(near) == 1 else word


@cache
def _listed_words() -> frozenset[str]:
    """Every word that is corrected to: they tell about a life."""
    classes = (
        CLASSES["own_nouns"]
        | CLASSES["durable_adjectives"]
        | load_words("languages").union(load_sections("illnesses")["illnesses"])
    )
    named = {
        word
        for word in _PEOPLE.union(classes, WEEKDAYS, map(str.lower, MONTHS))
        if len(word) >= _MIN_LENGTH_OF_LISTED and word.isascii() and word.isalpha()
    }
    return load_words("often_misspelled") | named | {f"{word}s" for word in named}


def _is_near(word: str, other: str) -> bool:
    """Whether two words with the same first letter are one letter, or two exchanged ones, apart.

    Another letter makes a surname of many a word for people ("tailor", "Taylor"), so that none is corrected there.
    """
    if word[0] != other[0] or OSA.distance(word, other, score_cutoff=1) != 1:
        return False
    has_another_letter = len(word) == len(other) and sorted(word) != sorted(other)
    return not has_another_letter or other.removesuffix("s") not in _PEOPLE
