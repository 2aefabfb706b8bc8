"""The rules of a language: reads them from ``languages/``; the first that fits a clause makes a candidate of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from keepsake.domain.english.patterns.pattern_file import load_pattern, read_row, read_toml
from keepsake.domain.english.third_person import in_singular
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.statements import checks
from keepsake.domain.reading.statements.forms import RuleFormReader, SaidWords
from keepsake.domain.reading.statements.rule import Rule
from keepsake.domain.reading.statements.statement_candidate import breaks_off, certain_candidate

CHECKS: Mapping[str, checks.Check] = {name: check for name, check in vars(checks).items() if name.startswith("is_")}
"""The functions that a rule may name in its ``checks``."""
_ADVERBS = load_pattern("adverbs_around_verb")


class RuleError(ValueError):
    """A table of rules that cannot be used; the message names the file and the rule."""


@cache
def load_rules(language: str = ENGLISH) -> tuple[Rule, ...]:
    """All rules of a language, in the order in which they are tried."""
    return read_rules("statements", read_toml(f"languages/{language}/statements.toml", __package__))


def read_rules(name: str, table: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of a table: a list ``rule``, perhaps ``lists`` that its forms name, and ``terms``.

    These are the English words for those of another language, for keys and values. Raises RuleError.
    """
    if unknown := table.keys() - {"lists", "rule", "terms"}:
        raise RuleError(f"{name}: unknown names {sorted(unknown)}")
    place, rules = name, []
    try:
        forms = RuleFormReader(table.get("lists", {}), table.get("rule", ()))
        for number, row in enumerate(table.get("rule", ()), start=1):
            place = f"{name} {number} ({row.get('key', 'without a key')})"
            rules.append(_read_rule(place, row, forms, table.get("terms", {})))
    except KeyError as missing:
        raise RuleError(f"{place}: unknown or missing name {missing}") from missing
    except (ValueError, TypeError) as fault:
        raise RuleError(f"{place}: {fault}") from fault
    return tuple(rules)


def _read_rule(name: str, row: Mapping[str, Any], forms: RuleFormReader, terms: Mapping[str, str]) -> Rule:
    return read_row(
        Rule,
        row,
        name=name,
        forms=forms.read(row["forms"]),
        subtype=Subtype(row["subtype"]),
        type=MemoryType(row.get("type", MemoryType.FACT)),
        checks=tuple(CHECKS[check] for check in row.get("checks", ())),
        terms=terms,
    )


def from_clause(clause: Clause) -> Candidate | None:
    """The candidate of what a clause is by its verb, or of the first rule that fits it; None where no rule does."""
    if breaks_off(clause.words):
        return None
    bare = replace(clause, words=_without_adverbs(clause.words))
    single = replace(bare, words=_without_adverbs(in_singular(bare.words)))
    return certain_candidate(bare) or first_candidate(load_rules(), single)


def first_candidate(rules: Sequence[Rule], clause: Clause) -> Candidate | None:
    """The candidate of the first of the rules of a language that fits a clause."""
    words = SaidWords(clause.words, rules[0].forms.lists)
    return next(filter(None, (rule.read(words, clause) for rule in rules)), None)


def _without_adverbs(said: str) -> str:
    """The clause without adverbs after "I", and after an auxiliary."""
    return _ADVERBS.sub(r"I \g<auxiliary>", said)
