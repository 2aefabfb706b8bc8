"""A clause that may change stored memories, as a value, with the rules for changes that match it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from keepsake.domain.extraction.rules.clauses.split_clauses import Clause


@dataclass(frozen=True, slots=True)
class ChangeMatch:
    """A rule for changes that matched a clause, what the clause is about, and the new value."""

    rule_index: int
    """The index of the rule in ``RULES``: matches are sent from one process to another, rules stay where they are."""
    object: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class ChangeStatement:
    """A clause with a word of change, and what it may say about stored memories."""

    clause: Clause
    matches: tuple[ChangeMatch, ...] = ()
    endings: tuple[str, ...] = ()
    """Words that name what has ended, whatever it is ("Pixel" of "we said goodbye to Pixel")."""
    last: tuple[UUID, ...] = ()
    """The memories of the message before, which a pronoun may stand for."""
    denied: tuple[str, ...] = ()
    """What the author denies of what the assistant says of them."""
    taken_back: tuple[UUID, ...] = ()
    """Memories of the message before that were a joke."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts of the author's life that may have changed, as a classifier reads the sentence, with probabilities."""
    possible_outcomes: frozenset[UUID] = frozenset()
    """Recent memories, where a message before told the same change: they may be its outcome, and stay as they are."""
