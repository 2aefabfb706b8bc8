"""Reads what a message says about a change: a birth, a denial, a joke, or what may hold of somebody known by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.change_statement import (
    Birth,
    ChangeStatement,
    first_name,
    memories_of_previous_message,
)
from keepsake.domain.reading.changes.life_changes import read_life_changes
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs, split_at_sentences, words

_WORDS = load_alternations("change_words", __package__)
_WORD_OF_CHANGE = re.compile(rf"\b{_WORDS['change_words']}\b", re.IGNORECASE)
_NO_NAMES, _CHANGES_OF_PERSON = (
    frozenset(load_sections("change_words", __package__)[section]) for section in ("no_names", "changes_of_person")
)
_TAKEN_BACK = re.compile(
    rf"^\W{{0,10}}(?:{_WORDS['laughs']}[\s,]{{1,3}}){{0,3}}{_WORDS['taken_back']}\b(?P<rest>.{{0,200}})", re.IGNORECASE
)
_BIRTHS = load_alternations("births", __package__)
_MOTHER = rf"(?P<mother>(?!{_BIRTHS['nobody']}\b)[^\W\d][\w-]*(?: [^\W\d][\w-]*){{0,2}}?)"
_BIRTH = re.compile(
    rf"(?P<couple>{_BIRTHS['of_couple']})|(?P<sibling>{_BIRTHS['of_sibling']})"
    rf"|(?P<another>(?:my |our )?{_MOTHER} {_BIRTHS['gave_birth']})",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(rf"\b{_BIRTHS['not_now']}\b", re.IGNORECASE)
_DENIALS = load_alternations("denials", __package__, person=f"(?:{RELATIONS}|{FRIENDS}|neighbou?r)")
_SAID_OF_AUTHOR = re.compile(
    rf"\b{_DENIALS['imputed']}\b.{{0,40}}?(?P<said>\b(?:i|i'm|i've|my|me)\b.{{0,200}})", re.IGNORECASE
)
_NEVER_SAID = re.compile(rf"\b{_DENIALS['never_said']}\b(?P<said>.{{1,200}})", re.IGNORECASE)
_DENIED = re.compile(rf"\b{_DENIALS['denied']}(?!\w)", re.IGNORECASE)
_MAX_STATEMENTS = 10


def has_word_of_change(text: str) -> bool:
    """Whether a message has a word of change; True where it is not in English, so that this cannot be told."""
    return is_unreadable(text) or _WORD_OF_CHANGE.search(normalize_apostrophes(text)) is not None


def read_changes(
    text: str, *, said_at: datetime, recent: Sequence[Memory] = (), previous: Sequence[PreviousMessage] = ()
) -> tuple[ChangeStatement, ...]:
    """What a message says that may change stored memories; most messages say nothing of that kind."""
    seen = shorten_runs(text[:MAX_READ_LENGTH])
    last = memories_of_previous_message(recent, said_at)
    found = [*_of_others(seen), *_taken_back(seen, last)]
    if denied := tuple(_denials(seen)):
        found.insert(0, ChangeStatement(Clause(words=" ".join(denied), quote=seen), denied=denied))
    return (*found[:_MAX_STATEMENTS], *read_life_changes(text, last, recent, previous))


def _of_others(text: str) -> Iterator[ChangeStatement]:
    """The clauses about a birth, or about somebody who may be known by name."""
    if _CHANGES_OF_PERSON.isdisjoint(words(text)):
        return
    for clause in clauses(text):
        birth = _read_birth(clause.words, text)
        if birth or (_may_name(clause.words) and not _CHANGES_OF_PERSON.isdisjoint(words(clause.words))):
            yield ChangeStatement(clause, birth=birth)


def _may_name(said: str) -> bool:
    _, name = first_name(said)
    return name[:1].isalpha() and name.casefold() not in _NO_NAMES


def _taken_back(text: str, last: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """The memories of the message before, where this one says that it was a joke."""
    match = _TAKEN_BACK.match(normalize_apostrophes(" ".join(text[:400].split())))
    if match is None or not last:
        return
    named = content_words(match["rest"])
    ids = tuple(one.id for one in last if not named or named & content_words(one.text))
    if ids:
        yield ChangeStatement(Clause(words="", quote=match[0]), taken_back=ids)


def _read_birth(clause: str, text: str) -> Birth | None:
    """The birth that a clause of a message tells, if any."""
    match = None if _NOT_NOW.search(text) else _BIRTH.match(clause)
    return None if match is None else Birth(match.lastgroup or "", match["mother"] or "")


def _denials(text: str) -> Iterator[str]:
    """What a message denies of what the assistant says of its author, in its own words: "I'm allergic to walnuts"."""
    sentences = split_at_sentences(normalize_apostrophes(text))
    for sentence, following in zip(sentences, [*sentences, ""][1:], strict=True):
        imputed = _SAID_OF_AUTHOR.search(sentence)
        denied = None if imputed is None else _DENIED.search(imputed["said"])
        if imputed and (denied or _DENIED.search(following)):
            yield imputed["said"][: denied.start() if denied else None]
        elif never_said := _NEVER_SAID.search(sentence):
            yield never_said["said"]
