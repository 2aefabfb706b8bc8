"""The decisions of merging, as values: insert, reinforce, supersede, retract, doubt or drop, each explained."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.memory import Candidate, Memory


@dataclass(frozen=True, slots=True)
class Insert:
    """Store the candidate as a new memory."""

    candidate: Candidate
    explanation: str
    expired_id: UUID | None = None
    """A memory with the same key whose time is over: it is marked so, and stays as it was."""


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Store nothing new: the memory says this already, and its counts are raised."""

    memory_id: UUID
    candidate: Candidate
    explanation: str
    reference_count: int
    importance: int
    confidence: float
    is_later: bool = False
    """Whether it was said after the memory: then its expiry starts again, and nobody doubts it."""


@dataclass(frozen=True, slots=True)
class Supersede:
    """Store the candidate in the place of an older memory, which is kept as history."""

    old_id: UUID
    candidate: Candidate
    explanation: str
    fulfills_plan: bool = False
    """Whether the older memory is a plan that has come true: the candidate does not contradict it."""
    adds_detail: bool = False
    """Whether the candidate says what the older memory says, and more."""


@dataclass(frozen=True, slots=True)
class Retract:
    """End a memory that no longer holds; ``candidate``, where there is one, is stored in its place."""

    old_id: UUID
    candidate: Candidate | None
    explanation: str
    why: str = ""
    """The mechanism that found the change, where there is no candidate to name it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Mark a memory that has probably changed, where the message does not say to what."""

    memory_id: UUID
    explanation: str
    why: str = ""
    """The mechanism that found the change."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Store nothing; ``reason`` is a stable word for statistics."""

    candidate: Candidate
    reason: str
    explanation: str


Decision = Insert | Reinforce | Supersede | Retract | Doubt | Drop


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A memory that no longer holds once the candidate does; ``reason`` completes "M-12 …"."""

    memory: Memory
    reason: str

    @property
    def explanation(self) -> str:
        """The reason as a sentence about the memory."""
        return f"{self.memory.ref} {self.reason}"
