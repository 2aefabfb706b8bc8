"""Sends the decisions of a merge, each with its own reason; their answers are read when all are on their way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from keepsake.domain.lifecycle import lifetimes
from keepsake.domain.memory import Candidate
from keepsake.domain.merging.decisions import Decision, Doubt, Insert, Reinforce, Retract, Supersede
from keepsake.infra.database import Answer
from keepsake.store import memories
from keepsake.store.operations import MemoryWriter

Action = Literal["created", "reinforced", "superseded", "ended", "doubted"]


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """A memory that was created, reinforced, ended or doubted, or inserted in place of a superseded one."""

    memory: memories.StoredMemory
    action: Action


@dataclass(frozen=True, slots=True)
class SentWrite:
    """A decision that was sent; the answer has no memory where the one that it changes is not active any more."""

    answer: Answer[memories.StoredMemory]
    action: Action


def affected_id(decision: Decision) -> UUID | None:
    """The stored memory that a decision changes."""
    match decision:
        case Reinforce(memory_id=old) | Doubt(memory_id=old) | Supersede(old_id=old) | Retract(old_id=old):
            return old
        case Insert(expired_id=old):
            return old
        case _:
            return None


async def send_write(writer: MemoryWriter, decision: Insert | Reinforce | Supersede | Retract | Doubt) -> SentWrite:
    """Send a decision that writes a memory."""
    match decision:
        case Insert(candidate=candidate, expired_id=expired_id):
            if expired_id is not None:
                await memories.expire(writer, expired_id, reason=decision.explanation)
            return SentWrite(await _insert(writer, candidate, decision.explanation), "created")
        case Supersede(old_id=old_id, candidate=candidate) | Retract(old_id=old_id, candidate=candidate):
            why = candidate.why if candidate else getattr(decision, "why", "")
            ended = await memories.supersede(writer, old_id, reason=decision.explanation, why=why)
            if candidate is None:
                return SentWrite(ended, "ended")
            return SentWrite(await _insert(writer, candidate, decision.explanation, old_id), "superseded")
        case Doubt(memory_id=doubted_id):
            doubted = await memories.doubt(writer, doubted_id, reason=decision.explanation, why=decision.why)
            return SentWrite(doubted, "doubted")
        case Reinforce(candidate=candidate):
            expires_at = _expires_at(writer, candidate)
            reinforced = await memories.reinforce(writer, decision, reason=decision.explanation, expires_at=expires_at)
            return SentWrite(reinforced, "reinforced")


async def _insert(
    writer: MemoryWriter, candidate: Candidate, reason: str, supersedes_id: UUID | None = None
) -> Answer[memories.StoredMemory]:
    expires_at = _expires_at(writer, candidate)
    return await memories.insert(writer, candidate, reason=reason, supersedes_id=supersedes_id, expires_at=expires_at)


def _expires_at(writer: MemoryWriter, candidate: Candidate) -> datetime | None:
    said_at = writer.origin.said_at.astimezone(writer.timezone)
    return lifetimes.expires_at(candidate, said_at=said_at, source=writer.source)
