"""Reads the rules for changes: what a message tells about stored memories, and which of them it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.extraction.rules.matching.rule import group_names
from keepsake.domain.extraction.rules.patterns.pattern_file import PatternTable, insert_fragments, read_toml
from keepsake.domain.extraction.rules.patterns.rule_table import collect_rules, read_row
from keepsake.domain.text import word_set

KINDS = word_set(
    "plan goal taste habit possession relative partner pet study children occupation employment author_or_partner home"
    " diet"
)
"""The kinds of memories that a rule may name; ``change_targets`` says which memories they are."""
_FILES = (("data/change_rules.toml", False), ("data/answer_requests.toml", True))
"""The files of rules, and whether what is in them are requests, which may stand anywhere in a message."""
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
    is_request: bool = False
    """Whether it is a request, which no clause contains: its pattern may stand anywhere in the message."""
    reads_as: str = ""
    """The statement that replaces what has ended."""
    unless: re.Pattern[str] | None = None
    """What anywhere in the message shows that nothing has changed."""
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs of a memory and a message that has the effect on it."""
    counterexamples: tuple[tuple[str, str], ...] = ()


class ChangeRuleError(ValueError):
    """A rule for changes that cannot be used; the message names it."""


@cache
def load_change_rules() -> tuple[ChangeRule, ...]:
    """The rules for changes, in the order in which they are tried."""
    files = ((read_toml(name, __package__), are_requests) for name, are_requests in _FILES)
    return tuple(rule for table, are_requests in files for rule in read_change_rules(table, are_requests=are_requests))


def read_change_rules(table: Mapping[str, Any], *, are_requests: bool = False) -> tuple[ChangeRule, ...]:
    """The rules of a table with a list ``rule``, and ``fragments`` that their patterns contain."""
    patterns = PatternTable(table, relation=f"(?:{RELATIONS})")
    rows = [row | {"is_request": are_requests} for row in table["rule"]]
    return collect_rules(
        ((f"rule {number}", partial(_change_rule, row, patterns)) for number, row in enumerate(rows, start=1)),
        ChangeRuleError,
    )


def _change_rule(row: Mapping[str, Any], patterns: PatternTable) -> ChangeRule:
    pattern = patterns.compile(row["pattern"], "(?:{})" if row["is_request"] else "^(?:{})$")
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
