"""Finds what sentences say in passing, also where they ask: how the person wants answers, and names of those close."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.patterns.pattern_file import PatternTable, read_toml
from keepsake.domain.english.word_groups import DIETS, JOBS, LANGUAGES, PETS
from keepsake.domain.text import word_set


@dataclass(frozen=True, slots=True)
class EmbeddedStatement:
    """A statement and where its words stand."""

    words: str
    start: int
    end: int


_TABLE = PatternTable(
    read_toml("data/embedded.toml", __package__),
    relations=RELATIONS,
    friends=FRIENDS,
    pets=PETS,
    diets=DIETS,
    jobs=f"(?:{'|'.join(sorted(JOBS))})",
    languages=f"(?:{LANGUAGES})",
    **load_alternations("illnesses"),
)
_DURABLE = _TABLE.compile(r"\b{durable}\b")
_SLOT = re.compile(r"\\g<(\w+)>")
_RELATIONS = {"boy": "son", "lad": "son", "youngest": "child", "eldest": "child", "oldest": "child"}
_DETAILED = ("long", "detailed", "more", "in-depth", "thorough")
_MEASURES = word_set("kilometers kilometres km miles kilograms kilos kg pounds grams cups ounces")
_METRIC = word_set("celsius metric grams kilos kilograms kilometres kilometers km kg")


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    statement: str
    unless: re.Pattern[str] | None
    """What anywhere in the sentence shows that it is not so."""
    durable: bool
    """It counts only where the sentence asks for more than this answer ("from now on")."""


@cache
def load_forms() -> tuple[_Form, ...]:
    """The forms, compiled once, where messages are read."""
    return tuple(
        _Form(
            _TABLE.compile(row["pattern"]),
            row["statement"],
            _TABLE.compile(row["unless"]) if "unless" in row else None,
            row.get("durable", False),
        )
        for row in _TABLE["embedded"]
    )


def embedded_statements(sentence: str) -> Iterator[EmbeddedStatement]:
    """The statements that a sentence contains."""
    is_durable = _DURABLE.search(sentence) is not None
    for form in load_forms():
        if (form.durable and not is_durable) or (form.unless and form.unless.search(sentence)):
            continue
        for match in form.pattern.finditer(sentence):
            yield EmbeddedStatement(_statement(form.statement, match), match.start(), match.end())


def _statement(template: str, match: re.Match[str]) -> str:
    """The statement that the words of a match make."""
    said = {name.rstrip("2345"): words for name, words in match.groupdict().items() if words}
    return _SLOT.sub(lambda slot: _written(slot[1], said.get(slot[1], "")), template)


def _written(slot: str, said: str) -> str:
    """Words in the form in which a statement has them."""
    lower = said.lower()
    match slot:
        case "language":
            return said.capitalize()
        case "format":
            return lower
        case "length":  # in one word
            return "detailed" if lower.startswith(_DETAILED) else "short"
        case "level":
            return "child" if lower in ("5", "five", "ten") else said
        case "refused" if said:
            return "imperial units" if lower in _METRIC else "metric units"
        case "units" if said:
            return f"measurements in {lower}" if lower in _MEASURES else f"{lower} units"
        case "who":  # a word for a relation that is none by itself ("my lad")
            return _RELATIONS.get(lower, said)
    return said
