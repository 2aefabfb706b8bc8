"""Screens a proposal, merges it with the existing memories, and writes the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC

from keepsake.domain.english import relative_dates
from keepsake.domain.entities.entity import canonicalize, resolve_relation
from keepsake.domain.entities.references import with_entities
from keepsake.domain.extraction import rules
from keepsake.domain.lifecycle.lifetimes import MAX_ACTIVE_MEMORIES
from keepsake.domain.memory import Candidate, Memory, MemoryType, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.decisions import Decision, Doubt, Drop, Insert
from keepsake.domain.merging.find_changes import after_statements
from keepsake.domain.merging.scope import merge_scope
from keepsake.domain.screening import screen
from keepsake.domain.timezones import find_timezone
from keepsake.store import consolidation, memories
from keepsake.store.memory_writer import MemoryWriter
from keepsake.store.operations import Operation
from keepsake.usecases.extraction.affected_by_changes import read_affected_by_changes
from keepsake.usecases.extraction.apply_decisions import MergeResult, apply_decisions
from keepsake.usecases.extraction.check_agent_statements import admissible_statements, without_protected
from keepsake.usecases.extraction.link_entities import link_entities, lock_entities
from keepsake.usecases.extraction.proposals import Proposal


async def merge_proposal(writer: MemoryWriter, proposal: Proposal, text: str) -> MergeResult:
    """Screen the candidates found in a text, merge them under the lock of the profile, and write the decisions."""
    changes = await read_affected_by_changes(writer, proposal)
    candidates, dropped = _screen([*proposal.candidates, *changes.candidates], writer.allowed_types, text)
    dropped.update(proposal.dropped)
    if proposal.no_result_reason:
        dropped[proposal.no_result_reason] += 1
    if not candidates:
        merged = await apply_decisions(writer, after_statements([], changes))
        merged.dropped.update(dropped)
        return merged
    local_time = writer.origin.said_at.astimezone(find_timezone(writer.origin.timezone) or UTC)
    candidates = [
        with_entities(relative_dates.resolve_relative_date(candidate, local_time)) for candidate in candidates
    ]
    named = await lock_entities(writer, candidates)
    examined = MergeResult()
    if not writer.has_authority:
        candidates = await admissible_statements(writer, candidates, examined)
    decisions: list[Decision] = []
    compared: list[Memory] = []
    for persona_id in dict.fromkeys(candidate.persona_id for candidate in candidates):
        # Memories of one persona and memories of all personas never replace or reinforce each other.
        in_scope = [canonicalize(candidate, named) for candidate in candidates if candidate.persona_id == persona_id]
        decided, existing = await _decide(writer, in_scope)
        decisions += decided
        compared += existing
    merged = await apply_decisions(writer, after_statements(decisions, changes))
    merged.already_known += examined.already_known
    merged.contradicted += examined.contradicted
    stored = [
        decision.candidate for decision in decisions if not isinstance(decision, Drop | Doubt) and decision.candidate
    ]
    await link_entities(writer, stored, named, compared)
    merged.dropped.update(examined.dropped)
    merged.dropped.update(dropped)
    if any(isinstance(decision, Insert) for decision in decisions):
        await memories.archive_over_cap(
            writer.conn,
            user_id=writer.user_id,
            profile_id=writer.profile_id,
            cap=MAX_ACTIVE_MEMORIES,
            operation=Operation(writer.operation_id, writer.actor, "over the cap"),
            now=writer.now,
            source=writer.source,
        )
    return merged


async def _decide(writer: MemoryWriter, candidates: Sequence[Candidate]) -> tuple[list[Decision], list[Memory]]:
    """The decisions about candidates of one persona scope, and the memories that they were compared with."""
    existing = await _read_affected(writer, candidates)
    if writer.has_authority and await _open_folds(writer, existing):
        existing = await _read_affected(writer, candidates)
    candidates = [resolve_relation(candidate, existing) for candidate in candidates]
    decided = merge.merge(candidates, existing, said_at=writer.origin.said_at)
    return list(decided if writer.has_authority else without_protected(decided, existing)), existing


async def _read_affected(writer: MemoryWriter, candidates: Sequence[Candidate]) -> list[Memory]:
    """The memories that candidates of one persona scope can affect."""
    return await memories.relevant(
        writer.conn,
        merge_scope(candidates),
        user_id=writer.user_id,
        profile_id=writer.profile_id,
        persona_id=candidates[0].persona_id,
    )


async def _open_folds(writer: MemoryWriter, existing: Sequence[Memory]) -> bool:
    """Open the folds of these memories, so that each member is merged on its own; returns whether there was one."""
    folded = [memory.id for memory in existing if memory.status is Status.ARCHIVED]
    if not folded:
        return False
    async with writer.begin_merge("something was said about one of them"):
        return await consolidation.open_folds(writer.conn, user_id=writer.user_id, of=folded)


def _screen(
    candidates: Sequence[Candidate], allowed: frozenset[MemoryType], text: str
) -> tuple[list[Candidate], Counter[str]]:
    """The candidates that may be stored, best first and no more than one turn may make; the others by reason."""
    accepted: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for candidate in candidates:
        verdict = screen.screen(candidate, message=text)
        if isinstance(verdict, screen.Dropped):
            dropped[verdict.reason] += 1
        elif verdict.candidate.type not in allowed:
            dropped["type_not_allowed"] += 1
        else:
            accepted.append(verdict.candidate)
    best = rules.top_candidates(accepted)
    if len(accepted) > len(best):
        dropped["too_many"] += len(accepted) - len(best)
    return list(best), dropped
