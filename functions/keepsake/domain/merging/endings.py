"""Reads what a message says has ended, in words that fit anything: "said goodbye to Pixel", "last day at Deloitte"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("endings", __package__)
_COMMA = re.compile("[,;:]")
_WORD = re.compile(r"[\w'-]{1,40}")
_PRECEDING = re.compile(rf"(?:{_WORDS['may_precede']})$", re.IGNORECASE)
_BEFORE = re.compile(rf"\b{_WORDS['before']}\b", re.IGNORECASE)
_AFTER = re.compile(rf"\b{_WORDS['after']}\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\b(?:his|her|their|your)\b|'s? [\w']", re.IGNORECASE)
_MAX_AFTER = 4
"""Words after "goodbye to" that may name what has ended; more of them tell something else."""
_MAX_BEFORE = 5
"""Words before "moved out", from the beginning of a part of the clause."""


def has_ending(text: str) -> bool:
    """Whether a message has words by which something ends."""
    return _BEFORE.search(text) is not None or _AFTER.search(text) is not None


def read_endings(words: str) -> Iterator[str]:
    """The words of a clause that name what has ended; mostly none.

    Of "my sister quit the gym" nothing: the words before an ending may only be about the person.
    """
    for part in _COMMA.split(words):
        for match in _BEFORE.finditer(part):
            if all(_PRECEDING.match(word) for word in _WORD.findall(part[: match.start()])):
                yield " ".join(_WORD.findall(part[match.end() :])[:_MAX_AFTER])
        for match in _AFTER.finditer(part):
            named = _WORD.findall(part[: match.start()])
            if 0 < len(named) <= _MAX_BEFORE and not _OF_ANOTHER.search(part[: match.start()]):
                yield " ".join(named)
