"""Normalizes a message before it is split into clauses: chat spellings, missing apostrophes and left-out words.

What is found in the normalized text is quoted from the original, so each character knows where it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import methodcaller

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.english.misspellings import correct_words
from keepsake.domain.english.patterns.pattern_file import PatternTable, read_toml
from keepsake.domain.english.word_groups import PETS

_SPELLINGS = load_pairs("spellings")
_SPELLING = re.compile(
    r"(?<![\w'/.@#-])(?:" + "|".join(map(re.escape, sorted(_SPELLINGS, key=len, reverse=True))) + r")(?![\w'/@-])"
)
_MIN_SHOUTED = 12
_SHOUTED_SHARE = 0.7
_SENTENCE = re.compile(r"[^.!?\n]++")
_TABLE = PatternTable(read_toml("data/rewrites.toml", __package__), relations=RELATIONS, pets=PETS)
_REWRITES = tuple((_TABLE.compile(row["pattern"]), str(row["replacement"])) for row in _TABLE["rewrite"])


@dataclass(frozen=True, slots=True)
class NormalizedMessage:
    """A message in standard words; ``starts`` and ``ends`` say for each character where it stands in the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where the original has what stands between two indexes of the normalized text."""
        return (0, 0) if start >= end else (self.starts[start], self.ends[end - 1])

    def quote(self, original: str, start: int, end: int) -> str:
        """The words of the original between two indexes of the normalized text."""
        first, last = self.original_span(start, end)
        return original[first:last]


@lru_cache(maxsize=8)  # clauses and statements of one message are read from the same form
def normalize_message(text: str) -> NormalizedMessage:
    """The message in standard spelling, with what chat writers leave out."""
    message = NormalizedMessage(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    message = replace(message, text=_SENTENCE.sub(_without_shouting, text))
    message = _replace(message, _SPELLING, lambda match: _SPELLINGS[match[0]])
    if misspelled := correct_words(message.text):
        pattern = re.compile(rf"(?<![\w'/.@#-])(?:{'|'.join(sorted(misspelled))})(?![\w'/@-])")
        message = _replace(message, pattern, lambda match: misspelled[match[0]])
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
    if not pattern.search(message.text):
        return message
    text, starts, ends = [], [], []
    last = 0
    for match in pattern.finditer(message.text):
        words = replacement(match)
        first, end = message.original_span(match.start(), match.end())
        text += [message.text[last : match.start()], words]
        starts += [*message.starts[last : match.start()], *[first] * len(words)]
        ends += [*message.ends[last : match.start()], *[end] * len(words)]
        last = match.end()
    return NormalizedMessage(
        "".join([*text, message.text[last:]]),
        (*starts, *message.starts[last:]),
        (*ends, *message.ends[last:]),
    )
