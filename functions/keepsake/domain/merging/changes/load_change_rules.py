"""Reads the rules for changes: what a message tells about stored memories, and which of them it means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any, Literal

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.extraction.rules.collect_rules import collect_rules
from keepsake.domain.extraction.rules.pattern_file import insert_fragments, read_fragments, read_toml

KINDS = frozenset(
    (
        "plan",
        "goal",
        "taste",
        "habit",
        "possession",
        "relative",
        "partner",
        "pet",
        "study",
        "children",
        "occupation",
        "employment",
        "author_or_partner",
        "home",
        "diet",
    ),
)
"""The kinds of memories that a rule may name; ``change_targets`` says which memories they are."""
_FILES = (("data/change_rules.toml", False), ("data/signs_of_change.toml", True))
"""The files of rules, and whether what is in them may stand anywhere in a clause."""
_GROUPS = frozenset({"object", "new", "relative"})
_EXAMPLES = ("examples", "counterexamples")


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """A pattern of a clause, and the memories that end or become doubtful where a clause matches it."""

    pattern: re.Pattern[str]
    effect: Literal["end", "doubt"]
    attributes: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    """The only values that change; empty is all."""
    says: str = ""
    """A pattern of the text of the memories that change; ``{object}`` in it is what the clause names."""
    reads: str = ""
    """Words of memories that change, where neither their keys nor the words of the message find them."""
    is_event: bool = False
    """Whether the clause tells what happened: a day before a memory was said changes nothing of that memory."""
    is_sign: bool = False
    """Whether the pattern may stand anywhere in a clause that is about the author."""
    is_named: bool = False
    """Whether it applies to the memories that share a word with the clause, whatever they are about."""
    is_request: bool = False
    """Whether a sign may stand in a request, which no clause contains."""
    reads_as: str = ""
    """The statement that replaces what has ended."""
    unless: re.Pattern[str] | None = None
    """What anywhere in the message shows that nothing has changed."""
    examples: tuple[tuple[str, str], ...] = ()
    """Pairs of a memory and a message that has the effect on it."""
    counterexamples: tuple[tuple[str, str], ...] = ()

    @property
    def names_relative(self) -> bool:
        """Whether a match names the relative whose memories change."""
        return any(name.startswith("relative") for name in self.pattern.groupindex)


class ChangeRuleError(ValueError):
    """A rule for changes that cannot be used; the message names it."""


@cache
def load_change_rules() -> tuple[ChangeRule, ...]:
    """The rules for changes, in the order in which they are tried."""
    files = ((read_toml(name, __package__), are_signs) for name, are_signs in _FILES)
    return tuple(rule for table, are_signs in files for rule in read_change_rules(table, are_signs=are_signs))


def read_change_rules(table: Mapping[str, Any], *, are_signs: bool = False) -> tuple[ChangeRule, ...]:
    """The rules of a table with a list ``rule``, and ``fragments`` that their patterns contain."""
    fragments = read_fragments(table.get("fragments", {}), {"relation": f"(?:{RELATIONS})"})
    rows = enumerate(table["rule"], start=1)
    return collect_rules(
        ((f"rule {number}", partial(_change_rule, row | {"is_sign": are_signs}, fragments)) for number, row in rows),
        ChangeRuleError,
    )


def _change_rule(row: Mapping[str, Any], fragments: Mapping[str, str]) -> ChangeRule:
    if unknown := row.keys() - {field.name for field in fields(ChangeRule)}:
        raise ValueError(f"unknown fields {sorted(unknown)}")
    form = "(?:{})" if row["is_sign"] else "^(?:{})$"
    pattern = re.compile(form.format(insert_fragments(row["pattern"], fragments)), re.IGNORECASE)
    groups = {name.rstrip("0123456789") for name in pattern.groupindex}
    if groups - _GROUPS or row["effect"] not in ("end", "doubt") or set(row.get("kinds", ())) - KINDS:
        raise ValueError("unknown groups, effect or kinds")
    if "object" not in groups and not (row.get("attributes") or row.get("kinds") or row.get("is_named")):
        raise ValueError("applies to every memory")
    says = insert_fragments(row.get("says", ""), {**fragments, "object": "{object}"})
    re.compile(says)
    return ChangeRule(
        pattern,
        row["effect"],
        attributes=frozenset(row.get("attributes", ())),
        kinds=frozenset(row.get("kinds", ())),
        values=frozenset(row.get("values", ())),
        says=says,
        reads=row.get("reads", ""),
        is_event=row.get("is_event", False),
        is_sign=row["is_sign"],
        is_named=row.get("is_named", False),
        is_request=row.get("is_request", False),
        reads_as=row.get("reads_as", ""),
        unless=re.compile(insert_fragments(row["unless"], fragments), re.IGNORECASE) if "unless" in row else None,
        examples=tuple((memory, message) for memory, message in row[_EXAMPLES[0]]),
        counterexamples=tuple((memory, message) for memory, message in row[_EXAMPLES[1]]),
    )
