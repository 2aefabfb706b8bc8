"""Splits a message into clauses, the one place where a sentence is cut: each with its words, its quote, and its kind.

A sentence is cut at every mark and joining word behind which something of its own begins. What then neither states nor
asks anything by itself ("Yorkshire" behind "I live in Leeds,") continues the clause before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.reading.clauses import clause_filters, trailing_remarks
from keepsake.domain.reading.clauses.embedded_statements import embedded_statements
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.reading.clauses.parts import Part, parts_of
from keepsake.domain.reading.clauses.predicates import with_predicate
from keepsake.domain.reading.clauses.sentences import (
    Sentence,
    SplitMessage,
    read_sentences,
    split_message,
)
from keepsake.domain.reading.message.quoted_text import MASK

MAX_CLAUSE_LENGTH = 400
MAX_CLAUSES = 300


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
    is_elliptic: bool = False
    """Its predicate was left out ("but my wife does"); only ``words`` has that of the statement before."""
    has_introduction: bool = False
    """Its message greets, or introduces its author."""


_NEW_NOT_OLD = re.compile(
    r"^(?!I (?:do not|never|like|love|enjoy|prefer|want|eat|drink|need|hate)\b)(?P<new>.*), not (?P<old>[^,;]{1,40})$",
    re.I,
)
_EDGES = " \t\n,;:.()-\u2013\u2014\u2022*"


@lru_cache(maxsize=16)
def split_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of the author's own words, in order, also those that ask or are hedged.

    One message is read several times: for statements, changes and evidence.
    """
    split = split_message(text)
    has_introduction = clause_filters.has_introduction(split.masked)

    def read(number: int, sentence: Sentence) -> Iterator[Clause]:
        asks = split.last_request >= number
        for part in parts_of(split, number):
            for clause in _read_clauses(text, split, sentence, part):
                yield replace(clause, has_request=asks, sentence=number, has_introduction=has_introduction)
        yield from _embedded_clauses(text, split, sentence, number)

    found = tuple(_with_predicates(read_sentences(split, read, MAX_CLAUSES)))
    own = [index for index, clause in enumerate(found) if not clause.is_embedded]
    return tuple(
        replace(clause, is_first=index == own[0], is_last=index == own[-1]) if own else clause
        for index, clause in enumerate(found)
    )


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses that state something."""
    return tuple(clause for clause in split_clauses(text) if not (clause.asks or clause.is_hedged))


def _with_predicates(found: Iterable[Clause]) -> Iterator[Clause]:
    """The clauses; one that leaves its predicate out has that of the statement before ("but my wife does")."""
    before: Clause | None = None
    for clause in found:
        is_next = before is not None and not before.asks and clause.sentence - before.sentence <= 1
        words = with_predicate(clause.words, before.words) if before and is_next and not clause.asks else None
        completed = clause if words is None else replace(clause, words=words, is_elliptic=True)
        before = before if clause.is_embedded else completed
        yield completed


def _embedded_clauses(text: str, split: SplitMessage, sentence: Sentence, number: int) -> Iterator[Clause]:
    """The statements inside the clauses of a sentence, unless all of it is supposed or a joke."""
    body = split.masked[sentence.start : sentence.end]
    if len(body) > MAX_CLAUSE_LENGTH or clause_filters.is_hypothesis(body) or clause_filters.contains_markup(body):
        return
    for found in embedded_statements(body):
        quote = split.message.quote(text, sentence.start + found.start, sentence.start + found.end)
        words = normalize_clause(found.words).words
        if MASK not in found.words and not clause_filters.is_joking(body):
            yield Clause(words, quote, sentence=number, is_embedded=True)


def _read_clauses(text: str, split: SplitMessage, sentence: Sentence, part: Part) -> Iterator[Clause]:
    """The clauses of a part: none where it is masked, two where a relative clause stands inside it."""
    start, end = sentence.start + part.start, sentence.start + part.end
    said = split.masked[start:end]
    if MASK in said or len(part.words) > MAX_CLAUSE_LENGTH:
        return
    with_remarks = normalize_clause(part.words)
    is_hedged = (
        part.is_hedged
        or clause_filters.is_hedged(with_remarks.words)
        or clause_filters.is_joking(split.message.text[start:end].strip())
    )
    length = trailing_remarks.statement_length(part.words)
    if said.endswith(remark := part.words[length:]):
        end -= len(remark)
    start += filler_length(said)
    quote = _without_edges(split.message.quote(text, start, end))
    statement = normalize_clause(part.words[:length])
    words = _NEW_NOT_OLD.sub(r"\g<new>", statement.words)
    corrects = with_remarks.corrects or words != statement.words
    for one in trailing_remarks.split_relative_clause(words) or (words,):
        if one and quote:
            yield Clause(
                one,
                quote,
                _without_edges(said),
                statement.fronted_phrase,
                corrects,
                with_remarks.is_addition,
                part.asks or clause_filters.is_question_or_request(with_remarks.words),
                is_hedged,
                is_fragment=part.is_fragment,
            )


def _without_edges(said: str) -> str:
    """The words without marks around them; a bracket that closes in them stays."""
    bare = said.strip(_EDGES)
    closed = f"{bare})"
    return closed if "(" in bare and closed in said else bare
