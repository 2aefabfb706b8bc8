"""Cuts a message into the pieces that the statement classifier scores, finer and with less grammar than clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.rules.clause_reader.split_statements import (
    AUTHOR,
    goes_on_about_other,
    is_subject_alone,
)
from keepsake.domain.extraction.rules.clauses import clause_filters
from keepsake.domain.extraction.rules.clauses.normalize_clause import normalize_clause
from keepsake.domain.extraction.rules.clauses.sentences import Sentence, read_sentences, split_message, states_nothing
from keepsake.domain.extraction.rules.grammar.verb_phrase import (
    Subject,
    bare_words,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.message.quoted_text import MASK

_WORDS = load_alternations("statement_pieces", __package__)
_JOINT = re.compile(
    rf"\s{{0,12}}(?:(?<!\d),|,(?!\d)|[;()]|:(?!\d))\s{{0,12}}|\s{{1,12}}[-\u2013\u2014>&]{{1,4}}\s{{1,12}}"
    rf"|\s{{1,12}}(?={_WORDS['joints']}\s|{_WORDS['questions']}\s)",
    re.IGNORECASE,
)
_LEADING_JOINT = re.compile(rf"(?:{_WORDS['leading_joints']}\s{{1,12}}){{1,4}}", re.IGNORECASE)
_BARE_JOINT = re.compile(_WORDS["leading_joints"], re.IGNORECASE)
_NEW_CLAUSE = re.compile(
    rf"{_WORDS['joints']}\s{{1,12}}(?:{_WORDS['subjects']}|{_WORDS['requests']})(?![\w'])|{_WORDS['questions']}\s",
    re.IGNORECASE,
)
_HALF_A_SUBJECT = re.compile(r"(?:me|i|(?:my|our) [\w'-]++(?: [A-Z][\w'-]++)?|[A-Z][\w'-]++)\s*$")
_EDGES = " \t\n,;:.()-\u2013\u2014\u2022*!?"
_MAX_PIECES = 60
_MAX_SENTENCE = 1_200
_MAX_PIECE = 300


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence in normalized spelling, with the words of the message that it is."""

    words: str
    quote: str
    sentence: int
    start: int
    end: int
    """Where it stands in the normalized message."""
    asks: bool = False
    is_first: bool = False
    is_last: bool = False
    is_hedged: bool = False
    """A hedge or a joke, in it or right behind it."""


@lru_cache(maxsize=16)
def statement_pieces(text: str) -> tuple[Piece, ...]:
    """The pieces of the author's own words, in order, questions and requests among them, marked as such."""
    split = split_message(text)

    def read(number: int, sentence: Sentence) -> Iterator[Piece]:
        body = split.masked[sentence.start : sentence.end]
        if len(body) > _MAX_SENTENCE or sentence.is_sarcastic or states_nothing(body):
            return
        asks = False
        spans = [*_with_descriptions(body, _spans(body))]
        for index, (start, end) in enumerate(spans):
            words = body[start:end]
            quote = split.message.quote(text, sentence.start + start, sentence.start + end).strip(_EDGES)
            is_label = " " not in quote and body[end : end + 1] == ":"
            if not quote or is_label or MASK in words or len(words) > _MAX_PIECE:
                continue
            is_end = index == len(spans) - 1
            following = "" if is_end else body[slice(*spans[index + 1])]
            asks = (
                clause_filters.is_question_or_request(words)
                or (sentence.is_question and is_end)
                or (asks and read_verb_phrase(normalize_clause(words).words) is None)
            )
            hedged = (
                clause_filters.is_hedged(words)
                or clause_filters.is_joking(words)
                or clause_filters.is_afterthought_hedge(following)
            )
            yield Piece(words, quote, number, sentence.start + start, sentence.start + end, asks, is_hedged=hedged)

    pieces = read_sentences(split, read, _MAX_PIECES)
    last = len(pieces) - 1
    return tuple(replace(piece, is_first=index == 0, is_last=index == last) for index, piece in enumerate(pieces))


def _spans(body: str) -> Iterator[tuple[int, int]]:
    """Where the pieces of a sentence begin and end, without the words that join them."""
    start = 0
    for match in _JOINT.finditer(body):
        if match.start() > start and _ends_piece(body, start, match):
            yield from _trimmed(body, start, match.start())
            start = match.end()
    yield from _trimmed(body, start, len(body))


def _with_descriptions(body: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, each about somebody else than the author with what describes them ("Dad's 79, alone in Porto")."""
    described: tuple[int, int] | None = None
    for start, end in spans:
        phrase = read_verb_phrase(normalize_clause(body[start:end]).words)
        is_of_nobody = phrase is None or (
            described is not None
            and (
                goes_on_about_other(body[slice(*described)], body[start:end])
                or (is_subject_alone(body[slice(*described)]) and AUTHOR.isdisjoint(bare_words(body[start:end])[:1]))
            )
        )
        if described is not None and is_of_nobody and not clause_filters.is_question_or_request(body[start:end]):
            described = (described[0], end)
            continue
        if described is not None:
            yield described
        is_of_other = (
            is_subject_alone(body[start:end]) if phrase is None else phrase.subject in (Subject.CLOSE, Subject.OTHER)
        )
        described = (start, end) if is_of_other else None
        if not is_of_other:
            yield start, end
    if described is not None:
        yield described


def _ends_piece(body: str, start: int, joint: re.Match[str]) -> bool:
    """Whether a piece ends at a joint: at a mark always, at a word where a clause of its own follows."""
    if joint[0].strip():
        is_fronted = clause_filters.is_fronted_phrase(body[start : joint.start()])
        return not is_fronted or clause_filters.is_question_or_request(body[joint.end() :])
    if _HALF_A_SUBJECT.match(body, start, joint.start()) or not bare_words(body[start : joint.start()]):
        return False
    return _NEW_CLAUSE.match(body, joint.end()) is not None


def _trimmed(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without marks and joining words at its edges; none where nothing is left."""
    if leading := _LEADING_JOINT.match(body, start, end):
        start = leading.end()
    while start < end and body[start] in _EDGES:
        start += 1
    while end > start and body[end - 1] in _EDGES:
        end -= 1
    if start < end and not _BARE_JOINT.fullmatch(body, start, end):
        yield start, end
