"""What is to be done with a candidate, as values: each decision carries its reason and touches nothing."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.memory import Candidate


@dataclass(frozen=True, slots=True)
class Insert:
    """Store the candidate as a new memory."""

    candidate: Candidate
    explanation: str


@dataclass(frozen=True, slots=True)
class Reinforce:
    """The memory says this already: raise its counts, store nothing new."""

    memory_id: UUID
    candidate: Candidate
    explanation: str
    reference_count: int
    importance: int
    confidence: float
    refresh: bool = False
    """True where the statement is newer than the memory, so that what expires lives on from now."""


@dataclass(frozen=True, slots=True)
class Supersede:
    """Store the candidate in the place of an older memory, which keeps its history."""

    old_id: UUID
    candidate: Candidate
    explanation: str


@dataclass(frozen=True, slots=True)
class Retract:
    """Close a memory the person took back; ``candidate``, where there is one, is stored in its place."""

    old_id: UUID
    candidate: Candidate | None
    explanation: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Store nothing; ``reason`` is a stable word for counting."""

    candidate: Candidate
    reason: str
    explanation: str


Decision = Insert | Reinforce | Supersede | Retract | Drop
