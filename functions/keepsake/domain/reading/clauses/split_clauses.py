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
from keepsake.domain.text import word_set

MAX_CLAUSE_LENGTH = 400
MAX_CLAUSES = 300
_MAX_SENTENCE = 1_200
_SENTENCE_BOUNDARY = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"')\]]*+(?:\s+|$)|(?<=[a-z])[.!?]++(?=[A-Z])|\n+|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF]+\s*"
)
_ROLLING_EYES = frozenset("\U0001f644\U0001f643")
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
class Sentence:
    """A sentence, where it begins in its message, and how it ends."""

    start: int
    body: str
    is_question: bool = False
    is_sarcastic: bool = False
    """It ends in rolling eyes."""

    @property
    def asks(self) -> bool:
        """Whether it asks or requests something."""
        return self.is_question or clause_filters.is_question_or_request(self.body)


def split_sentences(masked: str) -> Iterator[Sentence]:
    """The sentences of a message in which everything is masked that is quoted."""
    start = 0
    for match in _SENTENCE_BOUNDARY.finditer(masked):
        if match[0].startswith(".") and _is_abbreviation(masked[max(start, match.start() - 8) : match.start()]):
            continue
        if body := masked[start : match.start()]:
            yield Sentence(start, body, "?" in match[0], not _ROLLING_EYES.isdisjoint(match[0]))
        start = match.end()
    if start < len(masked):
        yield Sentence(start, masked[start:])


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
    message = normalize_message(text)
    masked = mask_quoted_text(message.text)
    sentences = [*split_sentences(masked)]
    last_request = max((number for number, sentence in enumerate(sentences) if sentence.asks), default=-1)
    has_introduction = clause_filters.has_introduction(masked)
    found: list[Clause] = []
    last_sentence = 0
    for number, sentence in enumerate(sentences):
        if clause_filters.retracts_statement(sentence.body):
            del found[last_sentence:]
        last_sentence = len(found)
        found += (
            replace(clause, has_request=last_request >= number, sentence=number, has_introduction=has_introduction)
            for clause in _read_sentence(message, sentence, sentences[number - 1].body if number else "")
        )
        if len(found) >= MAX_CLAUSES:
            break
    own = [index for index, clause in enumerate(found) if not clause.is_embedded] or [-1]
    return tuple(
        replace(clause, is_first=index == own[0], is_last=index == own[-1]) for index, clause in enumerate(found)
    )


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses that state something."""
    return tuple(clause for clause in split_clauses(text) if not (clause.asks or clause.is_hedged))


def _read_sentence(message: NormalizedMessage, sentence: Sentence, before: str) -> Iterator[Clause]:
    """The clauses of a sentence, and the statements inside them; none where all of it is supposed, a joke or markup."""
    body = sentence.body
    if len(body) > _MAX_SENTENCE or any(
        rejects(body)
        for rejects in (clause_filters.is_hypothesis, clause_filters.is_joking, clause_filters.contains_markup)
    ):
        return
    if not (sentence.is_sarcastic or clause_filters.is_persistent_instruction(body) or is_other_language(body)):
        for part in parts_of(body, before, is_question=sentence.is_question):
            if clause := _clause_of(part, message, sentence):
                yield from (replace(clause, words=one) for one in clause_filters.split_relative_clause(clause.words))
    for found in embedded_statements(body) if len(body) <= MAX_CLAUSE_LENGTH else ():
        if MASK not in found.words:
            quote = message.quote(sentence.start + found.start, sentence.start + found.end)
            yield Clause(normalize_clause(found.words).words, quote, is_embedded=True)


def _clause_of(part: Part, message: NormalizedMessage, sentence: Sentence) -> Clause | None:
    """The clause of a part of a sentence; None where it is masked."""
    said = sentence.body[part.start : part.end]
    if MASK in said or len(part.words) > MAX_CLAUSE_LENGTH:
        return None
    with_remarks = normalize_clause(part.words)
    length = clause_filters.statement_length(part.words)
    end = part.end - (len(part.words) - length if said.endswith(part.words[length:]) else 0)
    quote = _without_edges(message.quote(sentence.start + part.start + filler_length(said), sentence.start + end))
    statement = normalize_clause(part.words[:length])
    words = _without_old(statement.words)
    if not (words and quote):
        return None
    return Clause(
        words,
        quote,
        _without_edges(said),
        statement.fronted_phrase,
        corrects=with_remarks.corrects or words != statement.words,
        is_addition=with_remarks.is_addition,
        asks=part.asks or clause_filters.is_question_or_request(with_remarks.words),
        is_hedged=part.is_hedged
        or clause_filters.is_hedged(with_remarks.words)
        or clause_filters.is_joking(said.strip()),
        is_fragment=part.is_fragment,
    )


def _without_old(words: str) -> str:
    """The words of "I live in Graz, not Linz" without what is no longer so."""
    new, joint, old = words.rpartition(", not ")
    if not joint:  # as many type it: "I live in Graz not Linz"
        new, joint, old = words.rpartition(" not ")
        joint = joint if _are_alike(new.rpartition(" ")[2], old) else ""
    first, *others = new.split() or [""]
    is_excluded = first == "I" and not _EXCLUDING.isdisjoint(others[:1])
    return words if is_excluded or not joint or len(old) > _MAX_OLD or {",", ";"} & {*old} else new


def _are_alike(one: str, other: str) -> bool:
    """Whether both are a number, or both a name."""
    return (one.isdigit() and other.isdigit()) or (one.istitle() and other.istitle() and " " not in other)


def _without_edges(said: str) -> str:
    """The words without marks around them; a bracket that closes in them stays."""
    bare = said.strip(_EDGES)
    closed = f"{bare})"
    return closed if "(" in bare and closed in said else bare
