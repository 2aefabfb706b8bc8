"""Finds what sentences say in passing, also where they ask: how the person wants answers, and names of those close."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.patterns.pattern_file import PatternTable, read_toml
from keepsake.domain.english.word_groups import DIETS, JOBS, LANGUAGES, PETS


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
_MEASURE, _SHORT = _TABLE.compile("{measures}"), _TABLE.compile("{short}")
_RELATIONS = {"boy": "son", "lad": "son", "youngest": "child", "eldest": "child", "oldest": "child"}


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    statement: str
    unless: re.Pattern[str] | None
    """What anywhere in the sentence shows that it is not so."""
    durable: bool
    """It counts only where the sentence asks for more than this answer ("from now on")."""


def _read_form(row: Mapping[str, Any]) -> _Form:
    unless = _TABLE.compile(row["unless"]) if "unless" in row else None
    return _Form(_TABLE.compile(row["pattern"]), row["statement"], unless, row.get("durable", False))


@cache
def load_forms() -> tuple[_Form, ...]:
    """The forms, compiled once, where messages are read."""
    return tuple(map(_read_form, _TABLE["embedded"]))


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
    for name, said in match.groupdict().items():
        if said and (written := _WRITTEN.get(name.rstrip("2"))):
            template = template.replace(rf"\g<{name}>", written(said).replace("\\", ""))
    return match.expand(template)


def _with_unit(units: str) -> str:
    """Units as they are preferred: "metric units", "measurements in miles"."""
    return f"measurements in {units.lower()}" if _MEASURE.fullmatch(units) else f"{units.lower()} units"


def _length(length: str) -> str:
    """How long answers are to be, in one word."""
    return "short" if _SHORT.fullmatch(length) else "detailed"


def _relation(who: str) -> str:
    """What somebody is to the author, where a word for a relation is none by itself ("my lad")."""
    return _RELATIONS.get(who.lower(), who)


_WRITTEN: Mapping[str, Callable[[str], str]] = {
    "language": str.capitalize,
    "format": str.lower,
    "units": _with_unit,
    "length": _length,
    "who": _relation,
}
"""The groups that are written in another form than they are said."""
