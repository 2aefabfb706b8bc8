"""Splits a message into clauses for the rules: single statements in normalized words, each with its quote.

``clause_reader.split_statements`` splits the same sentences for what no rule fits, also where a subject was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.rules.clauses import clause_filters, introductions, trailing_remarks
from keepsake.domain.extraction.rules.clauses.embedded_statements import answer_preferences, embedded_statements
from keepsake.domain.extraction.rules.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.extraction.rules.clauses.sentences import Sentence, read_sentences, split_message, states_nothing
from keepsake.domain.extraction.rules.message.normalize_message import NormalizedMessage
from keepsake.domain.extraction.rules.message.quoted_text import MASK

MAX_CLAUSE_LENGTH = 400
MAX_CLAUSES = 300


@dataclass(frozen=True, slots=True)
class Clause:
    """One declarative clause in normalized words."""

    words: str
    quote: str
    fronted_phrase: str = ""
    """What stood before the subject ("in my free time"), if anything."""
    corrects: bool = False
    """It was introduced as a correction ("actually", "no,")."""
    is_addition: bool = False
    """It adds to what is known ("I also work at …")."""
    has_request: bool = False
    """The message asks or requests something in the same sentence or a later one."""
    sentence: int = 0
    """The index of its sentence in the message."""
    is_embedded: bool = False
    """It is part of another clause ("my son Leo"); what it says is often said by a clause as well."""
    only_specific: bool = False
    """Its words may be a figure of speech ("as a treat"), so a rule for any noun does not apply."""
    has_introduction: bool = False
    """Its message greets, or introduces its author."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Where a clause stands in a text, and the subject it shares with the clause before it, if any."""

    start: int
    end: int
    subject: str = ""


_SUBJECT = r"(?:I|I'm|I've|I'll|I'd|im|ive|my|our|we|we're|we've)\b"
_WORDS = load_alternations("clauses", subject=_SUBJECT)
_CLAUSE_BOUNDARY = re.compile(_WORDS["boundaries"], re.I)
_QUESTION_AT_END = re.compile(
    r"(?:[,;]|\s[-\u2013\u2014]|"
    r"\s(?=any (?:\w{2,20} )?(?:tips|ideas|advice|recs|recommendations|suggestions|thoughts)\b))"
    rf"(?:\s{{0,12}}(?:but|and|so))?\s{{0,12}}(?={_WORDS['questions_at_end']}\b)[^,;]{{0,200}}$",
    re.I,
)
_NEW_NOT_OLD = re.compile(
    r"^(?!I (?:do not|never|like|love|enjoy|prefer|want|eat|drink|need|hate)\b)(?P<new>.*), not (?P<old>[^,;]{1,40})$",
    re.I,
)
_SECOND_VERB = re.compile(
    rf"(?:,?\s{{1,12}}(?:and|but)|,(?!\s{{1,12}}like {_WORDS['comparisons']}))\s{{1,12}}"
    rf"(?={_WORDS['second_verbs']}\s)",
    re.I,
)
_FIRST_VERB = "is|has|works|lives|loves|hates|likes|plays|goes|studies"
_RELATIVE_WITH_TWO_VERBS = re.compile(
    rf"\s*+(?P<who>(?:(?:my|our) (?:{RELATIONS})(?: (?-i:[A-Z])[\w'-]+)?)|he|she) (?:{_FIRST_VERB})\b[^,;]{{1,80}}?"
    rf"(?P<and>,? and )(?=(?:{_FIRST_VERB}|eats|speaks|drives|keeps)\b)",
    re.I,
)
_OTHER_SUBJECT = re.compile(
    r"\b(?:(?<!moved )(?<!relocated )to|would|could|might|want|hope|wish|plan|should|when|if|who|that|which|people|"
    r"they|you)\b",
    re.I,
)


@lru_cache(maxsize=16)
def clauses(text: str) -> tuple[Clause, ...]:
    """The declarative clauses of the author's own words, in order; questions and hypotheses are left out.

    One message is read several times: for statements, changes and evidence.
    """
    split = split_message(text)
    message, masked = split.message, split.masked
    has_introduction = clause_filters.has_introduction(masked)

    def read(index: int, sentence: Sentence) -> Iterator[Clause]:
        asks = split.last_request >= index
        for span in _clause_spans(masked, sentence):
            for clause in _read_clauses(text, message, masked, span):
                yield replace(clause, has_request=asks, sentence=index, has_introduction=has_introduction)
        yield from _embedded_clauses(text, message, masked, sentence, index)

    return read_sentences(split, read, MAX_CLAUSES)


def _embedded_clauses(
    text: str, message: NormalizedMessage, masked: str, sentence: Sentence, index: int
) -> Iterator[Clause]:
    """The statements inside the clauses of a sentence, unless all of it is supposed or a joke."""
    body = masked[sentence.start : sentence.end]
    if len(body) > MAX_CLAUSE_LENGTH or clause_filters.is_hypothesis(body) or clause_filters.contains_markup(body):
        return
    is_instruction = clause_filters.is_persistent_instruction(body)
    for found in (*answer_preferences(body), *(() if is_instruction else embedded_statements(body))):
        quote = message.quote(text, sentence.start + found.start, sentence.start + found.end)
        words = normalize_clause(found.words).words
        if MASK not in found.words and not clause_filters.is_joking(body):
            yield Clause(words, quote, sentence=index, is_embedded=True, only_specific=found.only_specific)


def _clause_spans(masked: str, sentence: Sentence) -> list[_Span]:
    """The spans of the clauses of a sentence that state something."""
    body = masked[sentence.start : sentence.end]
    if sentence.is_sarcastic or states_nothing(body):
        return []
    question = _question_at_end(body) if sentence.is_question else None
    statement = body if question is None else body[:question]
    is_question = sentence.is_question and question is None
    spans = _without_questions(statement, _without_hedged(statement, _split(statement)), is_question=is_question)
    parts = (part for span in spans for part in _split_shared_subject(body, span))
    return [_Span(sentence.start + part.start, sentence.start + part.end, part.subject) for part in parts]


def _question_at_end(body: str) -> int | None:
    """Where the question begins that ends a sentence which began with a statement; None where there is no such."""
    match = None if clause_filters.is_question_or_request(body) else _QUESTION_AT_END.search(body)
    return None if match is None else match.start()


def _split(body: str) -> list[_Span]:
    spans: list[_Span] = []
    start = 0
    for match in _CLAUSE_BOUNDARY.finditer(body):
        if _ends_clause(match, body[start : match.start()]):
            spans.append(_Span(start, match.start()))
            start = match.end()
    return [*spans, _Span(start, len(body))]


def _ends_clause(boundary: re.Match[str], before: str) -> bool:
    """Whether a clause ends at a boundary; not where only the beginning of a clause stands before it."""
    is_half_a_subject = boundary["and"] is not None and clause_filters.is_bare_subject(before)
    is_fronted = boundary[0].lstrip().startswith(",") and clause_filters.is_fronted_phrase(before)
    is_of_another = boundary["same"] is not None and clause_filters.has_other_subject(before)
    return not (is_half_a_subject or is_fronted or is_of_another or clause_filters.is_leading_phrase(before))


def _without_hedged(body: str, spans: list[_Span]) -> list[_Span]:
    """The spans without hedges that are clauses of their own (", I think"), and without what these refer to."""
    hedges = {i for i, span in enumerate(spans) if clause_filters.is_afterthought_hedge(body[span.start : span.end])}
    return [span for i, span in enumerate(spans) if i not in hedges and i + 1 not in hedges]


def _without_questions(body: str, spans: list[_Span], *, is_question: bool) -> list[_Span]:
    """The spans without the question or request; "can you call me Ash?" states a name."""
    asks = clause_filters.is_question_or_request
    if clause_filters.asks_to_be_called(body):
        return spans
    if is_question and not asks(body):
        return spans[:-1] if len(spans) > 1 and asks(body[spans[-1].start :]) else []
    return [] if spans and asks(body[: spans[0].end]) else spans


def _split_shared_subject(body: str, span: _Span) -> list[_Span]:
    """A clause whose subject has two verbs ("I love pets and have 2 dogs"), as one span for each."""
    piece = body[span.start : span.end]
    if relative := _RELATIVE_WITH_TWO_VERBS.match(piece):
        second = _Span(span.start + relative.end("and"), span.end, f"{relative['who']} ")
        return [_Span(span.start, span.start + relative.start("and")), second]
    found, start, subject = [], 0, ""
    for match in _SECOND_VERB.finditer(piece) if clause_filters.has_first_person_subject(piece) else ():
        if _OTHER_SUBJECT.search(piece[start : match.start()]):
            break
        found.append(_Span(span.start + start, span.start + match.start(), subject))
        start, subject = match.end(), "I "
    return [*found, _Span(span.start + start, span.end, subject)]


def _read_clauses(text: str, message: NormalizedMessage, masked: str, span: _Span) -> Iterator[Clause]:
    """The clauses of a span: none where it asks, supposes or breaks off, several where one contains another."""
    raw = masked[span.start : span.end]
    leading = len(raw) - len(raw.lstrip(" \t,.-*\u2022"))
    if len(raw) - leading > MAX_CLAUSE_LENGTH or MASK in raw:
        return
    with_remarks = normalize_clause(span.subject + raw[leading:])
    if (
        clause_filters.is_question_or_request(with_remarks.words)
        or clause_filters.is_hedged(with_remarks.words)
        or clause_filters.is_joking(message.text[span.start : span.end].strip())
    ):
        return
    end = len(raw[: leading + trailing_remarks.statement_length(raw[leading:])].rstrip(" \t,.-*"))
    leading += filler_length(raw[leading:end]) if not span.subject else 0
    quote = message.quote(text, span.start + leading, span.start + end)
    statement = normalize_clause(span.subject + raw[leading:end])
    words = _NEW_NOT_OLD.sub(r"\g<new>", statement.words)
    corrects = with_remarks.corrects or _NEW_NOT_OLD.search(statement.words) is not None
    parts = introductions.split_introduction(words) or trailing_remarks.split_relative_clause(words) or (words,)
    for part in (*parts, *introductions.companion_statement(words, statement.fronted_phrase)):
        if part and quote and not clause_filters.is_hedged(part):
            yield Clause(part, quote, statement.fronted_phrase, corrects, with_remarks.is_addition)
