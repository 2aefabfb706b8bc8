"""The rules for changes: what a clause tells about stored memories, and which of them it means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.matching.rule import group_names
from keepsake.domain.extraction.rules.patterns.pattern_file import PatternTable, insert_fragments, read_toml
from keepsake.domain.extraction.rules.patterns.rule_table import collect_rules, read_row
from keepsake.domain.merging.changes.change_statement import ChangeMatch
from keepsake.domain.text import word_set

KINDS = word_set(
    "plan goal taste habit possession relative partner pet study children occupation employment author_or_partner home"
    " diet"
)
"""The kinds of memories that a rule may name; ``change_targets`` says which memories they are."""
_GROUPS = frozenset({"object", "new"})


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """A pattern of a clause, and the memories that end or become doubtful where a clause matches it."""

    pattern: re.Pattern[str]
    effect: Literal["end", "doubt"]
    attributes: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    says: str = ""
    """A pattern of the text of the memories that change; ``{object}`` in it is what the clause names."""
    reads: str = ""
    """Words of memories that change, where neither their keys nor the words of the message find them."""
    is_event: bool = False
    """Whether the clause tells what happened: a day before a memory was said changes nothing of that memory."""
    reads_as: str = ""
    """The statement that replaces what has ended."""
    unless: re.Pattern[str] | None = None
    """What anywhere in the message shows that nothing has changed."""
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs of a memory and a message that has the effect on it."""
    counterexamples: tuple[tuple[str, str], ...] = ()


class ChangeRuleError(ValueError):
    """A rule for changes that cannot be used; the message names it."""


def read_change_rules(table: Mapping[str, Any]) -> tuple[ChangeRule, ...]:
    """The rules of a table with a list ``rule``, and ``fragments`` that their patterns contain."""
    patterns = PatternTable(table, relation=f"(?:{RELATIONS})")
    rows = enumerate(table["rule"], start=1)
    return collect_rules(
        ((f"rule {number}", partial(_change_rule, row, patterns)) for number, row in rows), ChangeRuleError
    )


def _change_rule(row: Mapping[str, Any], patterns: PatternTable) -> ChangeRule:
    pattern = patterns.compile(row["pattern"], "^(?:{})$")
    groups = group_names(pattern)
    if groups - _GROUPS or row["effect"] not in ("end", "doubt") or set(row.get("kinds", ())) - KINDS:
        raise ValueError("unknown groups, effect or kinds")
    if "object" not in groups and not (row.get("attributes") or row.get("kinds")):
        raise ValueError("applies to every memory")
    says = insert_fragments(row.get("says", ""), {**patterns.fragments, "object": "{object}"})
    re.compile(says)
    return read_row(
        ChangeRule,
        row,
        pattern=pattern,
        effect=row["effect"],
        says=says,
        unless=patterns.compile(row["unless"]) if "unless" in row else None,
    )


RULES = read_change_rules(read_toml("data/change_rules.toml", __package__))
"""The rules, in the order in which they are tried."""


def match_clause(clause: Clause, text: str) -> Iterator[ChangeMatch]:
    """The rules that a clause of the message matches."""
    for index, rule in enumerate(RULES):
        match = rule.pattern.match(clause.words)
        if match is not None and not (rule.unless and rule.unless.search(text)):
            groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
            yield ChangeMatch(index, groups.get("object", ""), groups.get("new", ""))
