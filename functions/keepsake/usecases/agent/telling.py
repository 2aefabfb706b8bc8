"""What an agent tells of a person: merged as the agent's statement, or as what the person's own message says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from keepsake.domain.agent.authority import MOST_CONFIDENCE, stating
from keepsake.domain.context.selection import is_private
from keepsake.domain.extraction.rules.engine import top_candidates
from keepsake.domain.memory import Candidate, Memory, Source
from keepsake.store import commands
from keepsake.store.operations import operation
from keepsake.usecases.agent.own_words import own_statements
from keepsake.usecases.agent.result import Managed
from keepsake.usecases.agent.session import Acting
from keepsake.usecases.commands.where import Where
from keepsake.usecases.extraction.apply_decisions import Applied, Write
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.proposals import Proposal

_WEIGHTIEST = (
    "secret",
    "instruction",
    "confirmed",
    "said_by_person",
    "type_not_allowed",
    "bad_characters",
    "bad_length",
    "older",
)


async def tell(at: Acting, where: Where, content: str, told: Sequence[Candidate], *, is_persona_only: bool) -> Managed:
    """Merge what an agent tells; what the person's own message says too counts as said by them."""
    stated = stating(await own_statements(at), told)
    candidates = [
        replace(
            one,
            confidence=min(one.confidence, MOST_CONFIDENCE),
            quote=one.quote if stated else "",
            persona_id=where.persona_id if is_persona_only else None,
        )
        for one in top_candidates(stated or told)
    ]
    turn = where.turn(content)
    async with operation(where.conn, actor=where.actor, reason="add a fact") as op:
        write = Write(where.conn, turn, Source.AGENT_TOOL, where.actor, op.id, where.now, is_person=bool(stated))
        applied = await merge_proposal(write, Proposal("rules", Source.AGENT_TOOL, candidates))
    return await _outcome(at, where, applied, op.id)


async def _outcome(at: Acting, where: Where, applied: Applied, operation_id: UUID) -> Managed:
    found = await _read(where, [*(made.memory.id for made in applied.made), *applied.known])
    if applied.changed:
        return Managed("done", None, found, operation_id)
    if found:
        return Managed("done", "known", found)
    standing = [memory for memory in await _read(where, applied.against) if not (at.shared and is_private(memory))]
    return Managed("refused", _why_not(applied), tuple(standing))


async def _read(where: Where, ids: Sequence[UUID]) -> tuple[Memory, ...]:
    return tuple(await commands.memories_by_id(where.conn, user_id=where.user_id, ids=list(dict.fromkeys(ids))))


def _why_not(applied: Applied) -> str:
    """The reason that weighs most, where several statements were dropped for several."""
    return next((reason for reason in _WEIGHTIEST if applied.dropped[reason]), "no_statement")
