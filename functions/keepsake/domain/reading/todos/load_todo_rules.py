"""Reads the rules for to-dos: which clauses open one, and which say that something is done or no longer wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from keepsake.domain.english.patterns.pattern_file import PatternTable, collect_rules, read_row, read_toml
from keepsake.domain.reading.todos.todo_statement import Effect, TodoKind

Form = Literal["base", "past", "clause", "promise", "decision"]
_FORMS = frozenset({"base", "past", "clause", "promise", "decision"})
_EFFECTS = frozenset({"open", "done", "dropped"})


@dataclass(frozen=True, slots=True)
class TodoRule:
    """A pattern of a clause, what it says about to-dos, and how its group ``what`` becomes a text."""

    pattern: re.Pattern[str]
    effect: Effect
    kind: TodoKind = TodoKind.COMMITMENT
    form: Form = "base"
    needs_date: bool = False
    """Whether the clause has to name a day."""
    needs_yet: bool = False
    """Whether the clause has to say "still" or "yet"."""
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    """Messages from which nothing of this effect follows."""


class TodoRuleError(ValueError):
    """A rule for to-dos that cannot be used; the message names it."""


def read_todo_rules(table: Mapping[str, Any]) -> tuple[TodoRule, ...]:
    """The rules of a table with a list ``rule``, and ``fragments`` that their patterns contain."""
    patterns = PatternTable(table)
    rows = enumerate(table["rule"], start=1)
    return collect_rules(
        ((f"rule {number}", partial(_todo_rule, row, patterns)) for number, row in rows), TodoRuleError
    )


def _todo_rule(row: Mapping[str, Any], patterns: PatternTable) -> TodoRule:
    pattern = patterns.compile(row["pattern"], "^(?:{})$")
    if "what" not in pattern.groupindex or row["effect"] not in _EFFECTS or row.get("form", "base") not in _FORMS:
        raise ValueError("no group what, or unknown effect or form")
    return read_row(
        TodoRule,
        row,
        pattern=pattern,
        effect=row["effect"],
        kind=TodoKind(row.get("kind", TodoKind.COMMITMENT)),
        form=row.get("form", "base"),
    )


RULES = read_todo_rules(read_toml("data/todo_rules.toml", __package__))
"""The rules in the order in which they are tried."""
