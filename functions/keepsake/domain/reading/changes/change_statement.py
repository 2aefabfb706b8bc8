"""A clause that may change stored memories, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from keepsake.domain.reading.changes.births import Birth
from keepsake.domain.reading.clauses.split_clauses import Clause


@dataclass(frozen=True, slots=True)
class ChangeStatement:
    """A clause or sentence, and what it may say about stored memories."""

    clause: Clause
    last: tuple[UUID, ...] = ()
    """The memories of the message before, which a pronoun may stand for."""
    denied: tuple[str, ...] = ()
    """What the author denies of what the assistant says of them."""
    birth: Birth | None = None
    """The birth that the clause tells."""
    taken_back: tuple[UUID, ...] = ()
    """Memories of the message before that were a joke."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts of the author's life that may have changed, as a classifier reads the sentence, with probabilities."""
    possible_outcomes: frozenset[UUID] = frozenset()
    """Recent memories, where a message before told the same change: they may be its outcome, and stay as they are."""
