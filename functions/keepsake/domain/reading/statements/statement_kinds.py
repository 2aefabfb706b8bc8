"""The kinds of statements, by their verbs: what each is, with its key and value, from ``data/statement_kinds.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from keepsake.domain.english.grammar.verb_phrase import Subject, Tense
from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.english.patterns.pattern_file import read_row, read_toml
from keepsake.domain.english.word_groups import WEEKDAYS
from keepsake.domain.memory import MemoryType, Subtype

_TABLE = read_toml("data/statement_kinds.toml", __package__)
WORDS: Mapping[str, tuple[str, ...]] = {
    "languages": load_lines("languages"),
    **{name: tuple(entries) for name, entries in _TABLE["words"].items()},
    "stops": (*_TABLE["words"]["stops"], *(f"on {day}{ending}" for day in WEEKDAYS for ending in ("", "s"))),
}


@dataclass(frozen=True, slots=True)
class StatementKind:
    """What a statement is, by its verb; ``key``, ``value``, ``denied`` and ``text`` are templates of its words."""

    subtype: Subtype
    type: MemoryType = MemoryType.FACT
    about: Subject = Subject.AUTHOR
    owners: tuple[str, ...] = ()
    """What of the author it is about: "my hometown is Bergen"."""
    not_of: tuple[str, ...] = ()
    """Words with which it is about another one: "my childhood dog"."""
    verbs: tuple[str, ...] = ()
    """Verbs, each perhaps with the words behind it."""
    tenses: tuple[str, ...] = (Tense.PRESENT.value, Tense.PROGRESSIVE.value)
    one_of: tuple[str, ...] = ()
    """What has to stand behind the verb, and is the value."""
    has: tuple[str, ...] = ()
    """Words of which one has to stand not far behind the verb."""
    never: tuple[str, ...] = ()
    """What must not stand right behind the verb: "live in fear"."""
    check: str = ""
    """What else stands there: ``age``, ``job`` or ``date``."""
    key: str = ""
    value: str = ""
    denied: str = ""
    """The value where it is negated; without one it has no key."""
    text: str = ""
    """Without one, the statement is put into the third person."""
    importance: int = 1
    corrects: bool = False
    """It says that something is otherwise than it was."""
    is_certain: bool = False
    """It lasts, so that no classifier is asked; what stands beside it ("since May") is no part of its value."""
    allows_second_value: bool = False
    """A key with one value takes a second one where the clause says "also"."""
    ends: bool = False
    """It says that something is over ("I left Ericsson")."""
    only_if_subject_known: bool = False
    """It says something only of whom is known already, by one word ("Kiwi died")."""
    name: str = ""
    """Its number in the table and its key, for people to find it."""


def _read_kind(number: int, row: Mapping[str, Any]) -> StatementKind:
    lists = {name: row[name] for name in ("one_of", "has", "never", "not_of") if name in row}
    named = {
        name: tuple(word for entry in entries for word in WORDS.get(entry.strip("{}"), (entry,)))
        for name, entries in lists.items()
    }
    name = f"statement_kinds {number} ({row.get('key', '')})"
    kind, about = MemoryType(row.get("type", MemoryType.FACT)), Subject(row.get("about", Subject.AUTHOR))
    return read_row(StatementKind, row, name=name, type=kind, subtype=Subtype(row["subtype"]), about=about, **named)


KINDS = tuple(starmap(_read_kind, enumerate(_TABLE["kind"], start=1)))
