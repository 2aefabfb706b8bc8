"""Splits a message into sentences, and finds in the original what stands in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.extraction.rules import clause_filters
from keepsake.domain.extraction.rules.normalize_message import NormalizedMessage

_SENTENCE_BOUNDARY = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?:\s+|$)|(?<=[a-z])[.!?]++(?=[A-Z])|\n+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
)
_ROLLING_EYES = re.compile("[\U0001f644\U0001f643]")
_WIDE_GAP = re.compile(r"[^\S\n]{9,}")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|st|mt|prof|vs|e\.g|i\.e|jr|sr|u\.s|u\.k|no|approx|ft|inc|[a-z])\.$", re.I
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where a sentence stands in a message, and how it ends."""

    start: int
    end: int
    is_question: bool
    is_sarcastic: bool = False
    """It ends in rolling eyes."""


def break_lines(text: str) -> str:
    """The text, of the same length, with every line end and every wide gap as a newline."""
    text = re.sub(r"[\r\v\f\x85\u2028\u2029]", "\n", text)
    return _WIDE_GAP.sub(lambda match: "\n" * (len(match[0]) - 4) + "    ", text)


def split_sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a message, as spans of its text."""
    start = 0
    for match in _SENTENCE_BOUNDARY.finditer(masked):
        before = masked[max(start, match.start() - 8) : match.start() + 1]
        if match[0].startswith(".") and _ABBREVIATION.search(before) and not before.endswith(" I."):
            continue
        if match.start() > start:
            yield Sentence(start, match.start(), "?" in match[0], _ROLLING_EYES.search(match[0]) is not None)
        start = match.end()
    if start < len(masked):
        yield Sentence(start, len(masked), is_question=False)


def has_request(masked: str, sentence: Sentence) -> bool:
    """Whether a sentence asks or requests something."""
    return sentence.is_question or clause_filters.is_question_or_request(masked[sentence.start : sentence.end])


def quote_of(text: str, message: NormalizedMessage, start: int, end: int) -> str:
    """The words of the original message between two indexes of the normalized one."""
    first, last = message.original_span(start, end)
    return text[first:last]
