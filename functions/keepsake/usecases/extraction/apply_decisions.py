"""Writes the decisions of merging: each with its own reason, all of them as one operation that can be undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from keepsake.domain.lifecycle import lifetimes
from keepsake.domain.memory import Candidate, Source
from keepsake.domain.merging.decisions import Decision, Doubt, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.store import memories
from keepsake.store.locks import lock_memories
from keepsake.store.memory_writer import MemoryWriter

Action = Literal["created", "reinforced", "superseded", "ended", "doubted"]

_DROP_REASONS = (
    *("secret", "instruction", "confirmed", "said_by_person"),
    *("type_not_allowed", "bad_characters", "bad_length", "older"),
)
"""The reasons that a person or an agent is told, the most important first."""


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """A memory that was created, reinforced, ended or doubted, or inserted in place of a superseded one."""

    memory: memories.StoredMemory
    action: Action


@dataclass(slots=True)
class MergeResult:
    """The result of a merge."""

    written: list[WrittenMemory] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    changed: bool = False
    """Whether any memory was changed: a retraction changes one without writing another."""
    already_known: list[UUID] = field(default_factory=list)
    """Memories that an agent repeated: it may have read them here, so that they are not reinforced."""
    contradicted: list[UUID] = field(default_factory=list)
    """Memories of the person's own that an agent's statement contradicts."""

    @property
    def stored_ids(self) -> list[UUID]:
        """The memories that hold what was said: created, reinforced or inserted for a superseded one."""
        return [one.memory.id for one in self.written if one.action not in ("ended", "doubted")]


async def apply_decisions(writer: MemoryWriter, decisions: Sequence[Decision]) -> MergeResult:
    """Apply the decisions in order."""
    merged = MergeResult()
    affected = sorted(old for decision in decisions if (old := _affected_id(decision)))
    await lock_memories(writer.conn, user_id=writer.user_id, ids=affected)
    for decision in decisions:
        if isinstance(decision, Drop):
            merged.dropped[decision.reason] += 1
        elif isinstance(decision, Reinforce) and writer.source is Source.AGENT_TOOL:
            merged.already_known.append(decision.memory_id)
        else:
            merged.changed = True
            written = await _apply(writer, decision)
            if written is not None:
                merged.written.append(written)
    return merged


def main_drop_reason(merged: MergeResult) -> str:
    """The most important reason for which candidates were dropped."""
    return next((reason for reason in _DROP_REASONS if merged.dropped[reason]), "no_statement")


def _affected_id(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=old) | Doubt(memory_id=old) | Supersede(old_id=old) | Retract(old_id=old):
            return old
        case _:
            return None


async def _apply(
    writer: MemoryWriter, decision: Insert | Reinforce | Supersede | Retract | Doubt
) -> WrittenMemory | None:
    match decision:
        case Insert(candidate=candidate):
            return WrittenMemory(await _insert(writer, candidate, decision.explanation), "created")
        case Supersede(old_id=old_id, candidate=candidate) | Retract(old_id=old_id, candidate=candidate):
            ended = await memories.supersede(writer, old_id, reason=decision.explanation)
            if candidate is None:
                return None if ended is None else WrittenMemory(ended, "ended")
            return WrittenMemory(await _insert(writer, candidate, decision.explanation, old_id), "superseded")
        case Doubt(memory_id=doubted_id):
            doubted = await memories.doubt(writer, doubted_id, reason=decision.explanation)
            return None if doubted is None else WrittenMemory(doubted, "doubted")
        case Reinforce(candidate=candidate):
            expires_at = _expires_at(writer, candidate)
            memory = await memories.reinforce(writer, decision, reason=decision.explanation, expires_at=expires_at)
            return None if memory is None else WrittenMemory(memory, "reinforced")


async def _insert(
    writer: MemoryWriter, candidate: Candidate, reason: str, supersedes_id: UUID | None = None
) -> memories.StoredMemory:
    expires_at = _expires_at(writer, candidate)
    return await memories.insert(writer, candidate, reason=reason, supersedes_id=supersedes_id, expires_at=expires_at)


def _expires_at(writer: MemoryWriter, candidate: Candidate) -> datetime | None:
    return lifetimes.expires_at(candidate, said_at=writer.origin.said_at, source=writer.source)
