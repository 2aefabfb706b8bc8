"""Reads by which statements plans come true, and the words by which both are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.text import stem

_LISTS = ("states", "ends", "times", "determiners", "negligible", "counts", "ongoing", "doubtful")
_EXAMPLES = ("examples", "counterexamples")
_MIN_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """Verbs of what was wanted, and the verbs by which it is so in the present, or has happened."""

    wanted: frozenset[str]
    present: frozenset[str]
    past: frozenset[str]
    never: frozenset[str]
    """Stems of things of which the statement does not say that the plan came true."""
    examples: tuple[tuple[str, str], ...]
    """Pairs of a plan and a statement that fulfills it."""
    counterexamples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlanWords:
    """Everything that ``data/fulfilled_plans.toml`` says."""

    beginning: re.Pattern[str]
    """How plans begin; what follows is the verb."""
    outcomes: tuple[Outcome, ...]
    lists: Mapping[str, frozenset[str]]
    phrases: frozenset[str]
    """The verbs of several words."""


class PlanWordsError(ValueError):
    """A table of plans that cannot be used; the message names the entry."""


@cache
def load_plan_words() -> PlanWords:
    """The words by which plans are found fulfilled."""
    return read_plan_words(read_toml("data/fulfilled_plans.toml", __package__))


def read_plan_words(table: Mapping[str, Any]) -> PlanWords:
    """The same of a table."""
    if unknown := table.keys() ^ {"plans", "outcome", *_LISTS}:
        raise PlanWordsError(f"unknown or missing names {sorted(unknown)}")
    outcomes = tuple(_outcome(number, row) for number, row in enumerate(table["outcome"], start=1))
    verbs = frozenset().union(*(one.wanted | one.present | one.past for one in outcomes))
    return PlanWords(
        re.compile(rf"(?:{'|'.join(table['plans'])})\s+", re.IGNORECASE),
        outcomes,
        {name: frozenset(table[name]) for name in _LISTS},
        frozenset(verb for verb in verbs if " " in verb),
    )


def _outcome(number: int, row: Mapping[str, Any]) -> Outcome:
    if unknown := row.keys() - Outcome.__dataclass_fields__.keys():
        raise PlanWordsError(f"outcome {number}: unknown fields {sorted(unknown)}")
    wanted, present, past = (frozenset(row.get(name, ())) for name in ("wanted", "present", "past"))
    pairs = [tuple((plan, statement) for plan, statement in row.get(name, ())) for name in _EXAMPLES]
    if not wanted or not present | past or min(map(len, pairs)) < _MIN_EXAMPLES:
        raise PlanWordsError(f"outcome {number}: no verbs, or fewer than {_MIN_EXAMPLES} examples or counterexamples")
    return Outcome(wanted, present, past, frozenset(map(stem, row.get("never", ()))), *pairs)
