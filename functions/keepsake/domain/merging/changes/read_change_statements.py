"""Reads what a message says about a change: which clauses may end, replace or cast doubt on stored memories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.similarity import content_words
from keepsake.domain.extraction.previous_messages import PreviousMessage
from keepsake.domain.extraction.rules.clause_reader.facts_that_ended import (
    may_have_ending,
    read_arrived,
    read_ended_by_verb,
)
from keepsake.domain.extraction.rules.clause_reader.split_statements import statements
from keepsake.domain.extraction.rules.language import is_unreadable
from keepsake.domain.extraction.rules.read_message import Reading, read_message
from keepsake.domain.extraction.rules.split_clauses import Clause, clauses
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.change_statement import ChangeMatch, ChangeStatement
from keepsake.domain.merging.changes.contrasted_values import read_contrasts
from keepsake.domain.merging.changes.corrected_values import read_correction
from keepsake.domain.merging.changes.ending_phrases import has_ending, read_endings, read_renewed
from keepsake.domain.merging.changes.life_sentences import read_life_sentences
from keepsake.domain.merging.changes.load_change_rules import ChangeRule, load_change_rules
from keepsake.domain.merging.changes.named_changes import is_for_a_time, read_ending_sentences
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs
from keepsake.domain.todos.read_todos import read_todos
from keepsake.domain.todos.todo import TodoStatement

RULES = load_change_rules()
_WORDS = load_alternations("change_words", __package__)
_WORD_OF_CHANGE = re.compile(rf"\b{_WORDS['change_words']}\b", re.IGNORECASE)
_MAY_NAME = re.compile(rf"^(?:me and )?(?!{_WORDS['no_names']}\b)[^\W\d]", re.IGNORECASE)
_CHANGE_OF_PERSON = re.compile(rf"\b{_WORDS['changes_of_person']}\b", re.IGNORECASE)
_VALUE = r"[\w/'-]{1,30}(?: [\w/'-]{1,30}){0,3}"
_NEW_NOT_OLD = re.compile(
    rf"^(?:{_WORDS['correction_openers']}[\s,:]{{1,3}}){{0,3}}(?P<new>{_VALUE}?),? not (?P<old>{_VALUE})\W{{0,5}}$",
    re.IGNORECASE,
)
_STATEMENT = re.compile(rf"\b{_WORDS['statement_words']}\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    rf"^\W{{0,10}}(?:{_WORDS['laughs']}[\s,]{{1,3}}){{0,3}}{_WORDS['taken_back']}\b(?P<rest>.{{0,200}})", re.IGNORECASE
)
_NOT_SO = re.compile(rf"\b{_WORDS['not_so']}\b", re.IGNORECASE)
_LONG_AGO = re.compile(rf"\b{_WORDS['long_ago']}\b", re.IGNORECASE)
_OTHERS = re.compile(rf"\b(?:{_WORDS['others']}|{RELATIONS}|{FRIENDS}|{OTHERS})\b", re.IGNORECASE)
_WITH_AUTHOR = re.compile(r"\b(?:my )?[\w-]{1,20} and (?:I|me)\b|\bme (?:and|n) (?:my )?[\w-]{1,20}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n]")
_REFERS_BACK_WITHIN = timedelta(hours=1)
_MAX_STATEMENTS = 10


@dataclass(frozen=True, slots=True)
class MessageReading:
    """The candidates of a message, its changes, and what it says about to-dos."""

    reading: Reading
    changes: tuple[ChangeStatement, ...]
    todos: tuple[TodoStatement, ...] = ()
    life_sentences: tuple[str, ...] = ()
    """The sentences that may tell a change in other words than the rules know."""


def read_message_and_changes(
    text: str, *, said_at: datetime, recent: Sequence[Memory] = (), previous: Sequence[PreviousMessage] = ()
) -> MessageReading:
    """What the rules find in a message, and what it says about changes; role play changes nothing."""
    reading = read_message(text, recent=recent, previous=previous)
    if reading.is_role_play:
        return MessageReading(reading, ())
    changes = read_changes(text, said_at=said_at, recent=recent)
    return MessageReading(reading, changes, read_todos(text), read_life_sentences(text))


def has_word_of_change(text: str) -> bool:
    """Whether a message has a word of change; True where it is not in English, so that this cannot be told."""
    return is_unreadable(text) or _WORD_OF_CHANGE.search(normalize_apostrophes(text)) is not None


def read_changes(text: str, *, said_at: datetime, recent: Sequence[Memory] = ()) -> tuple[ChangeStatement, ...]:
    """The clauses of a message that may change stored memories; most messages have none."""
    seen = shorten_runs(text[:MAX_READ_LENGTH])
    normalized = normalize_apostrophes(seen)
    replaced = tuple(_replaced_values(seen, said_at, recent))
    if not (
        replaced or _WORD_OF_CHANGE.search(normalized) or has_ending(normalized) or may_have_ending(normalized)
    ) and not any(rule.pattern.search(normalized) for rule in RULES if rule.is_sign):
        return ()
    found = [*_statements(seen, recent), *_taken_back(seen, said_at, recent), *replaced]
    return tuple(found[:_MAX_STATEMENTS])


def _statements(text: str, recent: Sequence[Memory]) -> Iterator[ChangeStatement]:
    known = clauses(text)
    others = [one for one in statements(text) if not any(one.words == clause.words for clause in known)]
    is_durable = not is_for_a_time(text)  # read once: a message may have hundreds of clauses
    for clause in (*known, *others):
        statement = ChangeStatement(
            clause,
            tuple(_matches(clause, text, recent)),
            endings=(*read_endings(clause.words), *read_ended_by_verb(clause.words)) if is_durable else (),
            arrived=tuple(read_arrived(clause.words)),
            renewed=tuple(read_renewed(clause.words)),
        )
        correction = _NEW_NOT_OLD.match(normalize_apostrophes(" ".join(clause.quote.split())))
        if correction is not None and not _STATEMENT.search(correction["new"]):
            yield replace(statement, old=correction["old"], new=correction["new"])
        elif any((statement.matches, statement.endings, statement.arrived, statement.renewed)) or (
            _MAY_NAME.match(clause.words) and _CHANGE_OF_PERSON.search(clause.words)
        ):
            yield statement
    if requests := tuple(_requested(text)):
        yield ChangeStatement(Clause(words=normalize_apostrophes(text), quote=text), requests)


def _replaced_values(text: str, said_at: datetime, recent: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """What a message as a whole ends or replaces: what it names, values of a class, a value of the message before."""
    clause = Clause(words=normalize_apostrophes(text), quote=text)
    if sentences := read_ending_sentences(text):
        last = tuple(memory.id for memory in last_memories(recent, said_at))
        yield ChangeStatement(clause, ending_sentences=sentences, last=last)
    if contrasts := read_contrasts(text):
        yield ChangeStatement(clause, contrasts=contrasts)
    if (corrected := read_correction(text, said_at, recent)) is not None:
        yield ChangeStatement(clause, old=corrected[0], new=corrected[1])


def _requested(text: str) -> Iterator[ChangeMatch]:
    """The signs of a change of how the author wants to be answered, in requests too."""
    words = normalize_apostrophes(" ".join(text.split()))
    for index, rule in enumerate(RULES):
        match = _find_sign(rule, words) if rule.is_request else None
        if match is not None and not (rule.unless and rule.unless.search(words)):
            yield _change_match(index, match)


def _matches(clause: Clause, text: str, recent: Sequence[Memory]) -> Iterator[ChangeMatch]:
    forms = dict.fromkeys((clause.words, normalize_apostrophes(clause.quote)))
    for index, rule in enumerate(RULES):
        if rule.is_request:
            continue
        match = (
            next(filter(None, (_find_sign(rule, words) for words in forms)), None)
            if rule.is_sign
            else rule.pattern.match(clause.words)
        )
        if match is None or (rule.unless and rule.unless.search(text)):
            continue
        found = _change_match(index, match)
        if found.relative.lower() in ("he", "she"):
            found = replace(found, relative=_last_relative(recent))
        if found.relative or not rule.names_relative:
            yield found


def _last_relative(recent: Sequence[Memory]) -> str:
    """The relation of the person that the newest memory is about, where it is a relative; else empty."""
    return parse_key(recent[0].key).relation if recent else ""


def _change_match(index: int, match: re.Match[str]) -> ChangeMatch:
    groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    return ChangeMatch(index, *(groups.get(name, "") for name in ("object", "new", "relative")))


def _find_sign(rule: ChangeRule, words: str) -> re.Match[str] | None:
    """Where words have a sign of a change of the author's life; None where they tell of others, or of wishes."""
    match = rule.pattern.search(words)
    if match is None or _LONG_AGO.search(words):
        return None
    before = _SENTENCE_END.split(words[: match.start()])[-1]
    return None if _NOT_SO.search(before) or _OTHERS.search(_WITH_AUTHOR.sub("", before)) else match


def _taken_back(text: str, said_at: datetime, recent: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """The memories of the message before, where this one says that it was a joke."""
    match = _TAKEN_BACK.match(normalize_apostrophes(" ".join(text[:400].split())))
    last = last_memories(recent, said_at)
    if match is None or not last:
        return
    named = content_words(match["rest"])
    ids = tuple(one.id for one in last if not named or named & content_words(one.text))
    if ids:
        yield ChangeStatement(Clause(words="", quote=match[0]), taken_back=ids)


def last_memories(recent: Sequence[Memory], said_at: datetime) -> list[Memory]:
    """The memories of the message before, where that was not long ago."""
    last = [memory for memory in recent if memory.last_said_at == recent[0].last_said_at]
    return last if last and said_at - last[0].last_said_at <= _REFERS_BACK_WITHIN else []
