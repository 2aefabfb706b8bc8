"""Normalizes a message before it is split into clauses: chat spellings, missing apostrophes and left-out words.

What is found in the normalized text is quoted from the original, so each character knows where it stands there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.english.rule_words import PETS
from keepsake.domain.extraction.rules.pattern_file import insert_fragments, read_fragments, read_toml

_SPELLINGS = load_pairs("spellings")
_SPELLING = re.compile(
    r"(?<![\w'/.@#-])(?:" + "|".join(map(re.escape, sorted(_SPELLINGS, key=len, reverse=True))) + r")(?![\w'/@-])"
)
_TABLE = read_toml("data/rewrites.toml")
_FRAGMENTS = read_fragments(_TABLE["fragments"], {"relations": RELATIONS, "pets": PETS})
_REWRITES = tuple(
    (re.compile(insert_fragments(row["pattern"], _FRAGMENTS), re.IGNORECASE), str(row["replacement"]))
    for row in _TABLE["rewrite"]
)


@dataclass(frozen=True, slots=True)
class NormalizedMessage:
    """A message in standard words; ``starts`` and ``ends`` say for each character where it stands in the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Where the original has what stands between two indexes of the normalized text."""
        return (0, 0) if start >= end else (self.starts[start], self.ends[end - 1])


@lru_cache(maxsize=8)  # clauses and statements of one message are read from the same form
def normalize_message(text: str) -> NormalizedMessage:
    """The message in standard spelling, with what chat writers leave out."""
    message = NormalizedMessage(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    message = _replace(message, _SPELLING, None)
    for pattern, replacement in _REWRITES:
        message = _replace(message, pattern, replacement)
    return message


def _replace(message: NormalizedMessage, pattern: re.Pattern[str], replacement: str | None) -> NormalizedMessage:
    """The message with every match replaced: by the standard spelling of the match where no replacement is given."""
    if not pattern.search(message.text):
        return message
    text, starts, ends = [], [], []
    last = 0
    for match in pattern.finditer(message.text):
        words = _SPELLINGS[match[0]] if replacement is None else match.expand(replacement)
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
