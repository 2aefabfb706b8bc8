"""Reads what a message says about a change: which clauses may end, replace or cast doubt on stored memories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.similarity import content_words
from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.read_message import Reading, read_message
from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.births import read_birth
from keepsake.domain.reading.changes.change_statement import ChangeStatement
from keepsake.domain.reading.changes.denials import read_denials
from keepsake.domain.reading.changes.life_sentences import read_life_sentences
from keepsake.domain.reading.changes.previous_message import memories_of_previous_message
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs
from keepsake.domain.reading.todos.read_todos import read_todos
from keepsake.domain.todos.todo import TodoStatement

_WORDS = load_alternations("change_words", __package__)
_WORD_OF_CHANGE = re.compile(rf"\b{_WORDS['change_words']}\b", re.IGNORECASE)
_MAY_NAME = re.compile(rf"^(?:me and )?(?!{_WORDS['no_names']}\b)[^\W\d]", re.IGNORECASE)
_CHANGE_OF_PERSON = re.compile(rf"\b{_WORDS['changes_of_person']}\b", re.IGNORECASE)
_TAKEN_BACK = re.compile(
    rf"^\W{{0,10}}(?:{_WORDS['laughs']}[\s,]{{1,3}}){{0,3}}{_WORDS['taken_back']}\b(?P<rest>.{{0,200}})", re.IGNORECASE
)
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
    """The clauses of a message that may change stored memories by what these say; most messages have none."""
    seen = shorten_runs(text[:MAX_READ_LENGTH])
    normalized = normalize_apostrophes(seen)
    denials = tuple(_denied(normalized))
    return (*denials, *_of_others(seen), *_taken_back(seen, said_at, recent))[:_MAX_STATEMENTS]


def _denied(text: str) -> Iterator[ChangeStatement]:
    if denials := read_denials(text):
        yield ChangeStatement(Clause(words=" ".join(denials), quote=text), denied=denials)


def _of_others(text: str) -> Iterator[ChangeStatement]:
    """The clauses about a birth, or about somebody who may be known by name."""
    if not _CHANGE_OF_PERSON.search(normalize_apostrophes(text)):
        return
    for clause in clauses(text):
        birth = read_birth(clause.words, text)
        if birth or (_MAY_NAME.match(clause.words) and _CHANGE_OF_PERSON.search(clause.words)):
            yield ChangeStatement(clause, birth=birth)


def _taken_back(text: str, said_at: datetime, recent: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """The memories of the message before, where this one says that it was a joke."""
    match = _TAKEN_BACK.match(normalize_apostrophes(" ".join(text[:400].split())))
    last = memories_of_previous_message(recent, said_at)
    if match is None or not last:
        return
    named = content_words(match["rest"])
    ids = tuple(one.id for one in last if not named or named & content_words(one.text))
    if ids:
        yield ChangeStatement(Clause(words="", quote=match[0]), taken_back=ids)
