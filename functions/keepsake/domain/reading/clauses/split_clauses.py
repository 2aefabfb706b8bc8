"""Splits a message into sentences and these into clauses: each with its words, its quote, and its kind.

A sentence is cut at every mark and joining word behind which something of its own begins. What then neither states nor
asks anything by itself ("Yorkshire" behind "I live in Leeds,") continues the clause before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.embedded_statements import embedded_statements
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.reading.clauses.parts import Part, parts_of
from keepsake.domain.reading.message.language import is_other_language
from keepsake.domain.reading.message.normalize_message import NormalizedMessage, normalize_message
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.text import normalize_apostrophes, word_set

MAX_CLAUSE_LENGTH = 400
MAX_CLAUSES = 300
_MAX_SENTENCE = 1_200
_SENTENCE_BOUNDARY = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?:\s+|$)|(?<=[a-z])[.!?]++(?=[A-Z])|\n+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
)
_ROLLING_EYES = frozenset("\U0001f644\U0001f643")
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"))
_ABBREVIATIONS = word_set("dr mr mrs ms st mt prof vs e.g i.e jr sr u.s u.k no approx ft inc")
_MAX_OLD = 40
_EXCLUDING = word_set("do never like love enjoy prefer want eat drink need hate")
"""Behind "I" and these ", not" excludes something, and takes nothing back."""
_EDGES = " \t\n,;:.()-\u2013\u2014\u2022*"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause in normalized words, with its subject first."""

    words: str
    quote: str
    said: str = ""
    """The same as it was typed, but for the spelling."""
    fronted_phrase: str = ""
    """What stood before the subject ("in my free time"), if anything."""
    corrects: bool = False
    """It was introduced as a correction ("actually", "no,")."""
    is_addition: bool = False
    """It adds to what is known ("I also work at …")."""
    asks: bool = False
    """It is a question or a request."""
    is_hedged: bool = False
    """A hedge or a joke, in it or right behind it."""
    is_first: bool = False
    is_last: bool = False
    has_request: bool = False
    """The message asks or requests something in the same sentence or a later one."""
    sentence: int = 0
    """The index of its sentence in the message."""
    is_embedded: bool = False
    """It is part of another clause ("my son Leo"); what it says is often said by a clause as well."""
    is_fragment: bool = False
    """Its beginning was left out ("two kids"), and is found."""
    has_introduction: bool = False
    """Its message greets, or introduces its author."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Where a sentence stands in a message, and how it ends."""

    start: int
    end: int
    is_question: bool = False
    is_sarcastic: bool = False
    """It ends in rolling eyes."""


@dataclass(frozen=True, slots=True)
class SplitMessage:
    """A message in standard words, the same with everything masked that is quoted, and its sentences."""

    original: str
    message: NormalizedMessage
    masked: str
    sentences: tuple[_Sentence, ...]

    def body(self, number: int) -> str:
        """The words of a sentence, by its index."""
        return self.masked[self.sentences[number].start : self.sentences[number].end]

    def asks(self, number: int) -> bool:
        """Whether a sentence asks or requests something."""
        return self.sentences[number].is_question or clause_filters.is_question_or_request(self.body(number))


def split_message(text: str) -> SplitMessage:
    """The message in standard words and in sentences."""
    message = normalize_message(normalize_apostrophes(text).translate(_LINE_ENDS))
    masked = mask_quoted_text(message.text)
    return SplitMessage(text, message, masked, tuple(_split_sentences(masked)))


def _split_sentences(masked: str) -> Iterator[_Sentence]:
    """The sentences of a message, as spans of its text."""
    start = 0
    for match in _SENTENCE_BOUNDARY.finditer(masked):
        if match[0].startswith(".") and _is_abbreviation(masked[max(start, match.start() - 8) : match.start()]):
            continue
        if match.start() > start:
            yield _Sentence(start, match.start(), "?" in match[0], not _ROLLING_EYES.isdisjoint(match[0]))
        start = match.end()
    if start < len(masked):
        yield _Sentence(start, len(masked))


def _is_abbreviation(before: str) -> bool:
    """Whether a full stop belongs to the word before it ("Dr.", "J.")."""
    word = before.replace("(", " ").rpartition(" ")[2]
    is_letter = len(word) == 1 and word.isascii() and word.isalpha() and not before.endswith(" I")
    return is_letter or word.lower() in _ABBREVIATIONS


@lru_cache(maxsize=16)  # one message is read several times: for statements, changes and evidence
def split_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of the author's own words, in order, also those that ask or are hedged.

    A sentence that takes back a joke takes the clauses of the one before it.
    """
    split = split_message(text)
    has_introduction = clause_filters.has_introduction(split.masked)
    numbers = range(len(split.sentences))
    last_request = max(filter(split.asks, numbers), default=-1)
    found: list[Clause] = []
    last_sentence = 0
    for number in numbers:
        if clause_filters.retracts_statement(split.body(number)):
            del found[last_sentence:]
        last_sentence = len(found)
        found += (
            replace(clause, has_request=last_request >= number, sentence=number, has_introduction=has_introduction)
            for clause in _read_sentence(split, number)
        )
        if len(found) >= MAX_CLAUSES:
            break
    del found[MAX_CLAUSES:]
    own = [index for index, clause in enumerate(found) if not clause.is_embedded] or [-1]
    return tuple(
        replace(clause, is_first=index == own[0], is_last=index == own[-1]) for index, clause in enumerate(found)
    )


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses that state something."""
    return tuple(clause for clause in split_clauses(text) if not (clause.asks or clause.is_hedged))


def _read_sentence(split: SplitMessage, number: int) -> Iterator[Clause]:
    """The clauses of a sentence, and the statements inside them; none where all of it is supposed, a joke or markup."""
    sentence, body = split.sentences[number], split.body(number)
    if len(body) > _MAX_SENTENCE or any(
        rejects(body)
        for rejects in (clause_filters.is_hypothesis, clause_filters.is_joking, clause_filters.contains_markup)
    ):
        return
    if not (sentence.is_sarcastic or clause_filters.is_persistent_instruction(body) or is_other_language(body)):
        for part in parts_of(body, split.body(number - 1) if number else "", is_question=sentence.is_question):
            if clause := _read_part(split, sentence, part):
                yield from (replace(clause, words=one) for one in clause_filters.split_relative_clause(clause.words))
    for found in embedded_statements(body) if len(body) <= MAX_CLAUSE_LENGTH else ():
        quote = split.message.quote(split.original, sentence.start + found.start, sentence.start + found.end)
        if MASK not in found.words:
            yield Clause(normalize_clause(found.words).words, quote, is_embedded=True)


def _read_part(split: SplitMessage, sentence: _Sentence, part: Part) -> Clause | None:
    """The clause of a part: None where it is masked."""
    start, end = sentence.start + part.start, sentence.start + part.end
    said = split.masked[start:end]
    if MASK in said or len(part.words) > MAX_CLAUSE_LENGTH:
        return None
    with_remarks = normalize_clause(part.words)
    length = clause_filters.statement_length(part.words)
    if said.endswith(remark := part.words[length:]):
        end -= len(remark)
    quote = _without_edges(split.message.quote(split.original, start + filler_length(said), end))
    statement = normalize_clause(part.words[:length])
    words = _without_old(statement.words)
    if not (words and quote):
        return None
    return Clause(
        words,
        quote,
        _without_edges(said),
        statement.fronted_phrase,
        with_remarks.corrects or words != statement.words,
        with_remarks.is_addition,
        part.asks or clause_filters.is_question_or_request(with_remarks.words),
        part.is_hedged
        or clause_filters.is_hedged(with_remarks.words)
        or clause_filters.is_joking(split.message.text[start:end].strip()),
        is_fragment=part.is_fragment,
    )


def _without_old(words: str) -> str:
    """The words of "I live in Graz, not Linz" without what is no longer so."""
    new, joint, old = words.rpartition(", not ")
    first, *others = new.split() or [""]
    is_excluded = first == "I" and not _EXCLUDING.isdisjoint(others[:1])
    return words if is_excluded or not joint or len(old) > _MAX_OLD or {",", ";"} & {*old} else new


def _without_edges(said: str) -> str:
    """The words without marks around them; a bracket that closes in them stays."""
    bare = said.strip(_EDGES)
    closed = f"{bare})"
    return closed if "(" in bare and closed in said else bare
