"""Reads the rules of a language from the files in ``languages/``, and refuses what it does not understand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from string import Formatter
from typing import Any

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.patterns.pattern_file import collect_rules, read_row, read_toml
from keepsake.domain.english.patterns.pattern_language import Lists, translate
from keepsake.domain.english.word_groups import AGE, FEELINGS, LANGUAGES, NUMBERS, PETS
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.statements.matching import checks
from keepsake.domain.reading.statements.matching.build_candidate import DERIVED_PARTS
from keepsake.domain.reading.statements.matching.rule import Check, Rule, group_names

CHECKS: Mapping[str, Check] = {name: function for name, function in vars(checks).items() if name.startswith("is_")}
"""The functions that a rule may name in its ``checks``."""

_SHARED_LISTS = {
    "age": AGE,
    "languages": LANGUAGES,
    "feelings": FEELINGS,
    "friends": FRIENDS,
    "numbers": NUMBERS,
    "others": OTHERS,
    "pets": PETS,
    "relations": RELATIONS,
}
_TEMPLATES = ("key", "value", "text", "entity_label")
_NO_TERMS: Mapping[str, str] = {}


class RuleError(ValueError):
    """A table of rules that cannot be used; the message names the file and the rule."""


@cache
def load_rules(language: str = ENGLISH) -> tuple[Rule, ...]:
    """All rules of a language, in the order in which they are tried."""
    about = read_language_file(language, "language")
    tables = {name: read_language_file(language, name) for name in about["tables"]}
    return read_rules(tables, about.get("terms", {}))


def read_language_file(language: str, name: str) -> dict[str, Any]:
    """A file of the folder of a language."""
    return read_toml(f"languages/{language}/{name}.toml", __package__.removesuffix(".matching"))


def read_rules(tables: Mapping[str, Mapping[str, Any]], terms: Mapping[str, str] = _NO_TERMS) -> tuple[Rule, ...]:
    """The rules of some tables; each table has a list ``rule``, and perhaps ``lists`` that its patterns name.

    ``terms`` are the English words for those of another language, for keys and values.
    """
    return collect_rules((entry for name, table in tables.items() for entry in _entries(name, table, terms)), RuleError)


def _entries(name: str, table: Mapping[str, Any], terms: Mapping[str, str]) -> Iterator[tuple[str, Callable[[], Rule]]]:
    """The name of each rule of a table, and what reads it."""
    lists = _lists(name, table)
    for number, row in enumerate(table.get("rule", ()), start=1):
        location = f"{name} {number} ({row.get('key', 'without a key')})"
        yield location, partial(_rule, location, row, lists, terms)


def _lists(name: str, table: Mapping[str, Any]) -> Lists:
    if unknown := table.keys() - {"lists", "rule"}:
        raise RuleError(f"{name}: unknown names {sorted(unknown)}")
    expressions = {**read_toml("data/slots.toml", __package__), **_SHARED_LISTS}
    if repeated := expressions.keys() & table.get("lists", {}).keys():
        raise RuleError(f"{name}: these lists exist already {sorted(repeated)}")
    return Lists(expressions, table.get("lists", {}))


def _rule(name: str, row: Mapping[str, Any], lists: Lists, terms: Mapping[str, str]) -> Rule:
    pattern = re.compile(f"^(?:{translate(row['pattern'], lists)})$", re.IGNORECASE)
    parts = group_names(pattern) | DERIVED_PARTS
    if unknown := {part for name in _TEMPLATES for part in _parts_of(row.get(name, ""))} - parts:
        raise ValueError(f"templates name parts that the pattern does not have {sorted(unknown)}")
    return read_row(
        Rule,
        row,
        name=name,
        pattern=pattern,
        subtype=Subtype(row["subtype"]),
        type=MemoryType(row.get("type", MemoryType.FACT)),
        checks=tuple(CHECKS[check] for check in row.get("checks", ())),
        terms=terms,
    )


def _parts_of(template: str) -> set[str]:
    return {part for _, part, _, _ in Formatter().parse(template) if part is not None}
