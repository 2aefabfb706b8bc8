"""The kinds of statements, by their verbs: what each is, with its key and value, from ``data/statement_kinds.toml``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from pydantic.dataclasses import dataclass

from keepsake.domain.english.grammar.verb_phrase import Subject, Tense
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.patterns.pattern_file import ROW, read_toml
from keepsake.domain.memory import MemoryType, Subtype

_TABLE = read_toml("data/statement_kinds.toml", __package__)
WORDS: Mapping[str, frozenset[str]] = {
    "languages": load_words("languages"),
    **{name: frozenset(entries) for name, entries in _TABLE["words"].items()},
}


@dataclass(frozen=True, slots=True, config=ROW)
class StatementKind:
    """What a statement is, by its verb; ``key``, ``value``, ``denied`` and ``text`` are templates of its words."""

    subtype: Subtype = Subtype.IDENTITY
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
    """In a file "yes" where the key says it all, and otherwise what stands behind the verb."""
    denied: str = ""
    """The value where it is negated; without one it has no key."""
    text: str = ""
    """Without one, the statement is put into the third person."""
    importance: int = 2
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


def type_and_subtype(row: Mapping[str, Any], *, is_about_close: bool) -> dict[str, MemoryType | Subtype]:
    """Those that a row has, and otherwise those of a fact about the author, or of a relationship."""
    usual = ("relationship", "relationship") if is_about_close else ("fact", "identity")
    return {"type": MemoryType(row.get("type", usual[0])), "subtype": Subtype(row.get("subtype", usual[1]))}


def _read_kind(number: int, row: Mapping[str, Any]) -> StatementKind:
    read: dict[str, Any] = {
        name: tuple(word for entry in row[name] for word in WORDS.get(entry.strip("{}"), (entry,)))
        for name in ("one_of", "has", "never", "not_of")
        if name in row
    }
    read["name"] = f"statement_kinds {number} ({row.get('key', '')})"
    read["value"] = row.get("value", "yes" if "{" in row["key"] else "{what}")
    read |= type_and_subtype(row, is_about_close=row.get("about") == Subject.CLOSE.value)
    return StatementKind(**{**row, **read, "is_certain": number <= len(_TABLE["kind"])})


def _read_kinds() -> Mapping[tuple[Subject, str], Sequence[StatementKind]]:
    found: dict[tuple[Subject, str], list[StatementKind]] = defaultdict(list)
    for number, row in enumerate(chain(_TABLE["kind"], _TABLE["other"]), start=1):
        kind = _read_kind(number, row)
        for word in {verb.partition(" ")[0] for verb in kind.verbs}:
            found[kind.about, word].append(kind)
    return dict(found)


KINDS = _read_kinds()
"""The kinds of statements about a subject of which a verb begins with a word, in the order of the file."""
