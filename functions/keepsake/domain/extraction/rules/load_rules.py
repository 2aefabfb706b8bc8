"""Reads the rules from the files in ``tables/``, one a subject, and refuses what it does not understand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from string import Formatter
from typing import Any

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.number_words import AGE
from keepsake.domain.english.word_lists import load_lines
from keepsake.domain.english.word_patterns import DEGREES, FEELINGS, NUMBERS, PETS
from keepsake.domain.extraction.rules import checks, habit_checks, lone_name_checks, name_checks, people_checks
from keepsake.domain.extraction.rules.build_candidate import DERIVED_PARTS
from keepsake.domain.extraction.rules.pattern_file import insert_fragments, read_fragments, read_toml
from keepsake.domain.extraction.rules.rule import Check, Rule
from keepsake.domain.memory import MemoryType, Subtype

TABLES = (
    "changes", "answers", "identity", "tastes", "occasions", "people", "home_and_work", "feelings", "goals", "habits",
)  # fmt: skip
"""The files in the order in which their rules are tried: the first one that fits a clause wins."""

CHECKS: Mapping[str, Check] = {
    name: function
    for module in (checks, habit_checks, lone_name_checks, name_checks, people_checks)
    for name, function in vars(module).items()
    if name.startswith("is_")
}
"""The functions that a rule may name as its ``check``."""

_SHARED_FRAGMENTS = {
    "age": AGE,
    "languages": f"(?:{'|'.join(load_lines('languages'))})",
    "degrees": DEGREES,
    "feelings": FEELINGS,
    "friends": FRIENDS,
    "numbers": NUMBERS,
    "others": OTHERS,
    "pets": PETS,
    "relations": RELATIONS,
}
_TYPES = {
    **{field.name: str if field.default is MISSING else type(field.default) for field in fields(Rule)},
    "type": str,
    "check": str,
}
_REQUIRED = frozenset(field.name for field in fields(Rule) if field.default is MISSING)
_TEMPLATES = ("key", "value", "text", "entity_label")


class RuleError(ValueError):
    """A table of rules that cannot be used; the message names the file and the rule."""


@cache
def load_rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are tried."""
    return read_rules({name: read_toml(f"tables/{name}.toml") for name in TABLES})


def read_rules(tables: Mapping[str, Mapping[str, Any]]) -> tuple[Rule, ...]:
    """The rules of some tables; each table has a list ``rule``, and perhaps ``fragments`` that its patterns contain."""
    rules: dict[str, Rule] = {}
    for name, table in tables.items():
        fragments = _fragments(name, table)
        for number, row in enumerate(table.get("rule", ()), start=1):
            location = f"tables/{name}.toml, rule {number} ({row.get('key', 'without a key')})"
            try:
                rule = _rule(row, fragments)
            except KeyError as error:
                raise RuleError(f"{location}: unknown name {error}") from error
            except (ValueError, re.error) as error:
                raise RuleError(f"{location}: {error}") from error
            if rules.setdefault(rule.pattern.pattern, rule) is not rule:
                raise RuleError(f"{location}: another rule has the same pattern")
    return tuple(rules.values())


def _fragments(name: str, table: Mapping[str, Any]) -> Mapping[str, str]:
    if unknown := table.keys() - {"fragments", "rule"}:
        raise RuleError(f"tables/{name}.toml: unknown names {sorted(unknown)}")
    try:
        return read_fragments(table.get("fragments", {}), _SHARED_FRAGMENTS)
    except KeyError as error:
        raise RuleError(f"tables/{name}.toml: unknown fragment {error}") from error
    except ValueError as error:
        raise RuleError(f"tables/{name}.toml: {error}") from error


def _rule(row: Mapping[str, Any], fragments: Mapping[str, str]) -> Rule:
    if unknown := row.keys() - _TYPES.keys():
        raise ValueError(f"unknown fields {sorted(unknown)}")
    if missing := _REQUIRED - row.keys():
        raise ValueError(f"missing fields {sorted(missing)}")
    if wrong := sorted(name for name, value in row.items() if type(value) is not _TYPES[name]):
        raise ValueError(f"fields of a wrong type {wrong}")
    pattern = re.compile(f"^(?:{insert_fragments(row['pattern'], fragments)})$", re.IGNORECASE)
    parts = {name.rstrip("0123456789") for name in pattern.groupindex} | DERIVED_PARTS
    if unknown := {part for name in _TEMPLATES for part in _parts_of(row.get(name, ""))} - parts:
        raise ValueError(f"templates name parts that the pattern does not have {sorted(unknown)}")
    named = {
        "pattern": pattern,
        "subtype": Subtype(row["subtype"]),
        "type": MemoryType(row.get("type", MemoryType.FACT)),
        "check": CHECKS[row["check"]] if "check" in row else None,
    }
    return Rule(**{**row, **named})


def _parts_of(template: str) -> set[str]:
    return {part for _, part, _, _ in Formatter().parse(template) if part is not None}
