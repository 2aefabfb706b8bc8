"""Screens what was proposed for a turn, compares it with what is known of the person, and writes what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from uuid import UUID

from keepsake.domain.english import relative_dates
from keepsake.domain.entities.entity import canonicalize, resolve_relation
from keepsake.domain.entities.references import with_entities
from keepsake.domain.extraction import rules
from keepsake.domain.lifecycle.lifetimes import MAX_ACTIVE_MEMORIES
from keepsake.domain.memory import Candidate, Memory, MemoryType, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.decisions import Decision, Drop, Insert
from keepsake.domain.merging.scope import merge_scope
from keepsake.domain.screening import screen
from keepsake.domain.timezones import find_timezone
from keepsake.store import consolidation, memories
from keepsake.store.operations import Operation, operation
from keepsake.usecases.extraction.agent_statements import admissible, without_protected
from keepsake.usecases.extraction.apply_decisions import Applied, Write, apply
from keepsake.usecases.extraction.link_entities import follow_names, lock_named
from keepsake.usecases.extraction.proposals import Proposal


async def merge_proposal(write: Write, proposal: Proposal) -> Applied:
    """Screen, compare with what is known under the profile's lock, and apply."""
    user_id, profile_id = write.turn.facts.author, write.turn.facts.profile_id
    candidates, dropped = _screened(proposal.candidates, write.turn.allowed_types, write.turn.facts.text)
    dropped.update(proposal.dropped)
    if proposal.silence:
        dropped[proposal.silence] += 1
    if not candidates or user_id is None or profile_id is None:
        return Applied(dropped=dropped)
    said_locally = write.turn.facts.said_at.astimezone(find_timezone(write.turn.timezone) or UTC)
    candidates = [with_entities(relative_dates.anchored(candidate, said_locally)) for candidate in candidates]
    named = await lock_named(write.conn, candidates, user_id=user_id, profile_id=profile_id)
    decisions: list[Decision] = []
    compared: list[Memory] = []
    examined = Applied()
    if not write.is_person:
        candidates = await admissible(write, candidates, user_id, profile_id, examined)
    for persona_id in dict.fromkeys(candidate.persona_id for candidate in candidates):
        # What one persona alone is told stands beside what all know: neither replaces or strengthens the other.
        alike = [canonicalize(candidate, named) for candidate in candidates if candidate.persona_id == persona_id]
        known = await _relevant(write, alike, user_id, profile_id)
        if write.is_person and await _opened(write, user_id, known):
            known = await _relevant(write, alike, user_id, profile_id)
        alike = [resolve_relation(candidate, known) for candidate in alike]
        decided = merge.merge(alike, known, said_at=write.turn.facts.said_at)
        decisions += decided if write.is_person else without_protected(decided, known)
        compared += known
    applied = await apply(write, decisions)
    applied.dropped.update(examined.dropped)
    applied.known += examined.known
    applied.against += examined.against
    await follow_names(write, [stored for decision in decisions if (stored := _stored(decision))], named, compared)
    applied.dropped.update(dropped)
    if any(isinstance(decision, Insert) for decision in decisions):
        await memories.archive_over_cap(
            write.conn,
            user_id=user_id,
            profile_id=profile_id,
            cap=MAX_ACTIVE_MEMORIES,
            operation=Operation(write.operation_id, write.actor, "over the cap"),
            now=write.now,
            source=write.source,
        )
    return applied


async def _relevant(write: Write, alike: Sequence[Candidate], user_id: UUID, profile_id: UUID) -> list[Memory]:
    """What these, all for the same ears, may touch."""
    return await memories.relevant(
        write.conn, merge_scope(alike), user_id=user_id, profile_id=profile_id, persona_id=alike[0].persona_id
    )


async def _opened(write: Write, user_id: UUID, known: Sequence[Memory]) -> bool:
    """Open the folds of what is spoken of, so that each statement stands by itself again; whether there was one."""
    folded = [memory.id for memory in known if memory.status is Status.ARCHIVED]
    if not folded:
        return False
    reason = "something was said about one of them"
    async with operation(write.conn, actor=write.actor, reason=reason, id=write.operation_id):
        return await consolidation.open_folds(write.conn, user_id=user_id, of=folded)


def _stored(decision: Decision) -> Candidate | None:
    return None if isinstance(decision, Drop) else decision.candidate


def _screened(
    candidates: Sequence[Candidate], allowed: frozenset[MemoryType], said: str
) -> tuple[list[Candidate], Counter[str]]:
    """What may be stored of what was proposed, best first and no more than a turn may make; the rest by reason."""
    kept: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for candidate in candidates:
        verdict = screen.screen(candidate, said=said)
        if isinstance(verdict, screen.Dropped):
            dropped[verdict.reason] += 1
        elif verdict.candidate.type not in allowed:
            dropped["type_not_allowed"] += 1
        else:
            kept.append(verdict.candidate)
    best = rules.top_candidates(kept)
    if len(kept) > len(best):
        dropped["too_many"] += len(kept) - len(best)
    return list(best), dropped
