"""Writes what merging decided: each decision under its own reason, all of them one operation that can be undone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from uuid import UUID

from keepsake.domain.lifecycle import lifetimes
from keepsake.domain.memory import Candidate, Source
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.infra.database import Connection
from keepsake.store import memories
from keepsake.store.locks import lock_memories
from keepsake.store.operations import Operation
from keepsake.store.turns import Turn

Action = Literal["created", "reinforced", "superseded"]


@dataclass(frozen=True, slots=True)
class Made:
    """A memory a turn made, made stronger, or put in the place of an older one."""

    memory: memories.Stored
    action: Action


@dataclass(slots=True)
class Applied:
    """What came of the decisions."""

    made: list[Made] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    changed: bool = False
    """Whether any memory was written: a retraction can change without making one."""
    known: list[UUID] = field(default_factory=list)
    """What an agent said that is remembered already: it may have read it here, so that it counts for nothing."""
    against: list[UUID] = field(default_factory=list)
    """What is the person's own and an agent's statement would have replaced."""


@dataclass(frozen=True, slots=True)
class Write:
    """What every write of one operation shares."""

    conn: Connection
    turn: Turn
    source: Source
    actor: str
    operation_id: UUID
    now: datetime
    is_person: bool = True
    """Whether the statement is the person's own; an agent's leaves everything alone that is theirs."""


async def apply(write: Write, decisions: Sequence[Decision]) -> Applied:
    """Carry the decisions out, in order."""
    applied = Applied()
    touched = sorted(old for decision in decisions if (old := _touches(decision)))
    await lock_memories(write.conn, user_id=write.turn.facts.author, ids=touched)
    for decision in decisions:
        if isinstance(decision, Drop):
            applied.dropped[decision.reason] += 1
            continue
        if isinstance(decision, Reinforce) and write.source is Source.AGENT_TOOL:
            applied.known.append(decision.memory_id)
            continue
        applied.changed = True
        made = await _carry_out(write, decision)
        if made is not None:
            applied.made.append(made)
    return applied


def _touches(decision: Decision) -> UUID | None:
    match decision:
        case Reinforce(memory_id=old) | Supersede(old_id=old) | Retract(old_id=old):
            return old
        case _:
            return None


async def _carry_out(write: Write, decision: Insert | Reinforce | Supersede | Retract) -> Made | None:
    conn, turn, now = write.conn, write.turn, write.now
    within = Operation(write.operation_id, write.actor, decision.explanation)
    match decision:
        case Insert(candidate=candidate):
            return Made(await _insert(write, candidate, None, within), "created")
        case Supersede(old_id=old_id, candidate=candidate):
            await memories.close(conn, turn, old_id, within=within, now=now)
            return Made(await _insert(write, candidate, old_id, within), "superseded")
        case Retract(old_id=old_id, candidate=successor):
            await memories.close(conn, turn, old_id, within=within, now=now)
            return None if successor is None else Made(await _insert(write, successor, old_id, within), "superseded")
        case Reinforce():
            expires_at = _expires_at(write, decision.candidate)
            again = await memories.reinforce(
                conn, turn, decision, within=within, source=write.source, expires_at=expires_at, now=now
            )
            return None if again is None else Made(again, "reinforced")


async def _insert(write: Write, candidate: Candidate, supersedes_id: UUID | None, within: Operation) -> memories.Stored:
    return await memories.insert(
        write.conn,
        write.turn,
        candidate,
        within=within,
        source=write.source,
        supersedes_id=supersedes_id,
        expires_at=_expires_at(write, candidate),
        now=write.now,
    )


def _expires_at(write: Write, candidate: Candidate) -> datetime | None:
    return lifetimes.expires_at(candidate, said_at=write.turn.facts.said_at, source=write.source)
