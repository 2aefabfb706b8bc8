"""The rules of a language: reads them from ``languages/``; the first that fits a clause makes a candidate of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from string import Formatter
from typing import Any

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.patterns.pattern_file import collect_rules, load_pattern, read_row, read_toml
from keepsake.domain.english.patterns.pattern_language import Lists, translate
from keepsake.domain.english.third_person import in_singular
from keepsake.domain.english.word_groups import FEELINGS, NUMBERS, PETS
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.statements import checks
from keepsake.domain.reading.statements.rule import DERIVED_PARTS, Rule, build_candidate
from keepsake.domain.reading.statements.statement_candidate import breaks_off, certain_candidate

CHECKS: Mapping[str, checks.Check] = {name: check for name, check in vars(checks).items() if name.startswith("is_")}
"""The functions that a rule may name in its ``checks``."""
_SHARED_LISTS = {
    "feelings": FEELINGS, "friends": FRIENDS, "numbers": NUMBERS, "others": OTHERS, "pets": PETS, "relations": RELATIONS
}  # fmt: skip
_TEMPLATES = ("key", "value", "text", "entity_label")
_ADVERBS = load_pattern("adverbs_around_verb")


class RuleError(ValueError):
    """A table of rules that cannot be used; the message names the file and the rule."""


@cache
def load_rules(language: str = ENGLISH) -> tuple[Rule, ...]:
    """All rules of a language, in the order in which they are tried."""
    return read_rules("statements", read_toml(f"languages/{language}/statements.toml", __package__))


def read_rules(name: str, table: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of a table: a list ``rule``, perhaps ``lists`` that its patterns name, and ``terms``.

    These are the English words for those of another language, for keys and values.
    """
    return collect_rules(_entries(name, table), RuleError)


def _entries(name: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], Rule]]]:
    """The name of each rule of a table, and what reads it."""
    if unknown := table.keys() - {"lists", "rule", "terms"}:
        raise RuleError(f"{name}: unknown names {sorted(unknown)}")
    expressions = {**read_toml("data/slots.toml", __package__), **_SHARED_LISTS}
    if repeated := expressions.keys() & table.get("lists", {}).keys():
        raise RuleError(f"{name}: these lists exist already {sorted(repeated)}")
    lists = Lists(expressions, table.get("lists", {}))
    for number, row in enumerate(table.get("rule", ()), start=1):
        location = f"{name} {number} ({row.get('key', 'without a key')})"
        yield location, partial(_rule, location, row, lists, table.get("terms", {}))


def _rule(name: str, row: Mapping[str, Any], lists: Lists, terms: Mapping[str, str]) -> Rule:
    pattern = re.compile(f"^(?:{translate(row['pattern'], lists)})$", re.IGNORECASE)
    parts = {_without_number(group) for group in pattern.groupindex} | DERIVED_PARTS
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


def _without_number(group: str) -> str:
    """The name of a group; ``name2`` is the group ``name`` at another place."""
    return group.rstrip("0123456789")


def from_clause(clause: Clause) -> Candidate | None:
    """The candidate of the first rule that fits the clause, or of what it is by its verb; None where no rule does."""
    if breaks_off(clause.words):
        return None
    bare = _without_adverbs(clause.words)
    if (certain := certain_candidate(replace(clause, words=bare))) is not None:
        return certain
    variants = dict.fromkeys((bare, clause.words, _without_adverbs(in_singular(bare))))
    return next(filter(None, (first_candidate(load_rules(), said, clause) for said in variants)), None)


def first_candidate(rules: Iterable[Rule], said: str, clause: Clause) -> Candidate | None:
    """The candidate of the first rule whose pattern matches the words and whose checks accept the match."""
    for rule in rules:
        if match := rule.pattern.match(said):
            values = {_without_number(name): value for name, value in match.groupdict().items() if value}
            if all(check(values, clause) for check in rule.checks):
                return build_candidate(rule, values, clause)
    return None


def _without_adverbs(said: str) -> str:
    """The clause without adverbs after "I", and after an auxiliary."""
    return _ADVERBS.sub(r"I \g<auxiliary>", said)
