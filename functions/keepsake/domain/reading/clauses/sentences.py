"""Splits a message into sentences, and reads these one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.message.language import is_other_language
from keepsake.domain.reading.message.normalize_message import NormalizedMessage, normalize_message
from keepsake.domain.reading.message.quoted_text import mask_quoted_text
from keepsake.domain.text import normalize_apostrophes, word_set

T = TypeVar("T")

_SENTENCE_BOUNDARY = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?:\s+|$)|(?<=[a-z])[.!?]++(?=[A-Z])|\n+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
)
_ROLLING_EYES = frozenset("\U0001f644\U0001f643")
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))
_WIDE_GAP = re.compile(r"[^\S\n]{9,}")
_ABBREVIATIONS = word_set("dr mr mrs ms st mt prof vs e.g i.e jr sr u.s u.k no approx ft inc")
_REJECTS_SENTENCE = (
    clause_filters.is_hypothesis,
    clause_filters.is_joking,
    clause_filters.contains_markup,
    clause_filters.is_persistent_instruction,
    is_other_language,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Where a sentence stands in a message, and how it ends."""

    start: int
    end: int
    is_question: bool
    is_sarcastic: bool = False
    """It ends in rolling eyes."""


@dataclass(frozen=True, slots=True)
class SplitMessage:
    """A message in standard words, the same with everything masked that is quoted, and its sentences."""

    message: NormalizedMessage
    masked: str
    sentences: tuple[Sentence, ...]
    last_request: int
    """The index of the last sentence that asks or requests something; -1 where none does."""


@lru_cache(maxsize=8)  # clauses and statements of one message are read from the same sentences
def split_message(text: str) -> SplitMessage:
    """The message in standard words and in sentences."""
    message = normalize_message(_break_lines(normalize_apostrophes(text)))
    masked = mask_quoted_text(message.text)
    sentences = tuple(_split_sentences(masked))
    last_request = max((i for i, sentence in enumerate(sentences) if _has_request(masked, sentence)), default=-1)
    return SplitMessage(message, masked, sentences, last_request)


def _break_lines(text: str) -> str:
    """The text, of the same length, with every line end and every wide gap as a newline."""
    return _WIDE_GAP.sub(lambda match: "\n" * (len(match[0]) - 4) + "    ", text.translate(_LINE_ENDS))


def _split_sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a message, as spans of its text."""
    start = 0
    for match in _SENTENCE_BOUNDARY.finditer(masked):
        if match[0].startswith(".") and _is_abbreviation(masked[max(start, match.start() - 8) : match.start()]):
            continue
        if match.start() > start:
            yield Sentence(start, match.start(), "?" in match[0], not _ROLLING_EYES.isdisjoint(match[0]))
        start = match.end()
    if start < len(masked):
        yield Sentence(start, len(masked), is_question=False)


def _is_abbreviation(before: str) -> bool:
    """Whether a full stop belongs to the word before it ("Dr.", "J.")."""
    word = before.replace("(", " ").rpartition(" ")[2]
    is_letter = len(word) == 1 and word.isascii() and word.isalpha() and not before.endswith(" I")
    return is_letter or word.lower() in _ABBREVIATIONS


def _has_request(masked: str, sentence: Sentence) -> bool:
    """Whether a sentence asks or requests something."""
    return sentence.is_question or clause_filters.is_question_or_request(masked[sentence.start : sentence.end])


def read_sentences(split: SplitMessage, read: Callable[[int, Sentence], Iterable[T]], limit: int) -> tuple[T, ...]:
    """What is read from each sentence, by its index; a sentence that takes back a joke takes what was read before it.

    Reading ends after the sentence with which the limit is reached.
    """
    found: list[T] = []
    previous = 0
    for index, sentence in enumerate(split.sentences):
        if clause_filters.retracts_statement(split.masked[sentence.start : sentence.end]):
            del found[previous:]
        previous = len(found)
        found.extend(read(index, sentence))
        if len(found) >= limit:
            break
    return tuple(found[:limit])


@lru_cache(maxsize=32)  # once for its clauses and once for its statements
def states_nothing(sentence: str) -> bool:
    """Whether all of a sentence is supposed, a joke, markup, an instruction or in another language."""
    return any(rejects(sentence) for rejects in _REJECTS_SENTENCE)
