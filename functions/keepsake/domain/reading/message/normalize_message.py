"""Normalizes a message before it is split into clauses: chat spellings, misspelled words, capitals.

What is found in the normalized text is quoted from the original, so each character knows where it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations, load_pairs
from keepsake.domain.text import normalize_apostrophes

_MIN_SHOUTED = 12
_SHOUTED_SHARE = 0.7
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))
_SENTENCE = re.compile(r"[^.!?\n]++")
_DUTY = re.compile(rf"(?:^|(?<=\n)|(?<=[.!?] )){load_alternations('duties', __package__)['duties']}", re.IGNORECASE)
_NAME_TWICE = re.compile(r"(?<=\bname is )([^\W\d_][\w'-]{1,30})[.,] ([^\W\d_][\w'-]{1,30} \1)\b", re.IGNORECASE)
"""A name that is said again as a whole: "Okafor. Ada Okafor"."""
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
    message = _replace(message, _WORD, lambda match: _SPELLINGS.get(match[0], match[0]))
    message = _replace(message, _NAME_TWICE, lambda match: match[2])
    return _replace(message, _DUTY, lambda _: "I need to ")


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
