"""Reads what a message says about a change: a birth, a denial, a joke, or what may hold of somebody known by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.english.patterns.phrase_forms import FormReader, find, find_at
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
from keepsake.domain.text import (
    MAX_READ_LENGTH,
    normalize_apostrophes,
    shorten_runs,
    split_at_sentences,
    word_set,
    words,
)

_SECTIONS = load_sections("change_words", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_LISTS = read_toml("data/changes.toml", __package__)["lists"]
_READER = FormReader(_LISTS, frozenset({"name", "mother", "year", "few", "person"}))
_FORMS = {name: _READER.read(f"{{{name}}}") for name in _LISTS}
_JOKES = _READER.read("{laugh}* {taken_back}")
_NOBODY = word_set("her his their your the a an my our i we she he they you who it this that")
"""What no mother is called."""
_AUTHOR = word_set("i i'm i've my me")
_FEW, _MAX_JOKE = 3, 400
_MAX_BEFORE_AUTHOR = 8
_MAX_STATEMENTS = 10


def has_word_of_change(text: str) -> bool:
    """Whether a message has a word of change; True where it is not in English, so that this cannot be told."""
    said = words(text)
    joined = f" {' '.join(said)} "
    return (
        is_unreadable(text)
        or any(word in _WORDS["change_words"] or word.endswith("n't") for word in said)
        or any(f" {phrase} " in joined for phrase in _SECTIONS["phrases"])
    )


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
    if _WORDS["changes_of_person"].isdisjoint(words(text)):
        return
    for clause in clauses(text):
        birth = _read_birth(clause.words, text)
        if birth or (_may_name(clause.words) and not _WORDS["changes_of_person"].isdisjoint(words(clause.words))):
            yield ChangeStatement(clause, birth=birth)


def _may_name(said: str) -> bool:
    _, name = first_name(said)
    return name[:1].isalpha() and name.casefold() not in _WORDS["no_names"]


def _read_birth(clause: str, text: str) -> Birth | None:
    """The birth that a clause of a message tells, if any."""
    said = _Said(f"{clause} .")
    for of in ("couple", "sibling", "another"):
        found = next(find_at(_FORMS[of], said.words, said.takes), None)
        if found and find(_FORMS["not_now"], words(text), _Said(" ".join(words(text))).takes) is None:
            return Birth(of, said.text(*found.slots.get("mother", (0, 0))))
    return None


def _taken_back(text: str, last: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """The memories of the message before, where this one says that it was a joke."""
    said = _Said(text[:_MAX_JOKE])
    joke = next(find_at(_JOKES, said.words, said.takes), None) if last else None
    if joke is None:
        return
    named = content_words(said.text(joke.end))
    ids = tuple(one.id for one in last if not named or named & content_words(one.text))
    if ids:
        yield ChangeStatement(Clause(words="", quote=said.text()), taken_back=ids)


def _denials(text: str) -> Iterator[str]:
    """What a message denies of what the assistant says of its author, in its own words: "I'm allergic to walnuts"."""
    sentences = [_Said(f"{sentence} .") for sentence in split_at_sentences(text)]
    for said, following in zip(sentences, [*sentences, _Said("")][1:], strict=True):
        if imputed := find(_FORMS["imputed"], said.words, said.takes):
            after = range(imputed.end, min(len(said.words), imputed.end + _MAX_BEFORE_AUTHOR))
            start = next((at for at in after if said.words[at] in _AUTHOR), None)
            rest = None if start is None else _Said(said.text(start))
            denied = rest and find(_FORMS["denied"], rest.words, rest.takes)
            if rest and (denied or find(_FORMS["denied"], following.words, following.takes)):
                yield rest.text(0, denied.start if denied else None)
                continue
        if never_said := find(_FORMS["never_said"], said.words, said.takes):
            yield said.text(never_said.end)


class _Said:
    """The words and the marks of a text, and what slots take of them."""

    def __init__(self, text: str) -> None:
        self._said = "".join(f" {one} " if one in ".,;!?" else one for one in normalize_apostrophes(text)).split()
        self.words = [word.lower() for word in self._said]

    def text(self, start: int = 0, end: int | None = None) -> str:
        """What was said, from one word to another."""
        return " ".join(self._said[start:end])

    def takes(self, slot: str, start: int, end: int) -> bool:
        """Whether the words may stand in a slot."""
        said, first = self.words[start:end], self._said[start]
        match slot:
            case "few":
                return end - start <= _FEW
            case "mother":
                return end - start <= _FEW and first[0].isalpha() and said[0] not in _NOBODY
            case "name":
                return end - start == 1 and first[0].isupper()
            case "year":
                return end - start == 1 and first.isdecimal() and first.startswith("19")
            case _:
                return end - start == 1 and kinship_of(said[0].removesuffix("'s")) is not None
