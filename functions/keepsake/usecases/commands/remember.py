"""Remembers on the person's own word: what rules read in a statement, else all of it, screened and merged."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.commands import Outcome
from keepsake.domain.commands.statement_to_memory import parse_statement
from keepsake.domain.extraction import rules
from keepsake.domain.extraction.rules.engine import top_candidates
from keepsake.domain.memory import Candidate, Source
from keepsake.infra.readers import DeadlineExceeded
from keepsake.store import commands
from keepsake.store.operations import operation
from keepsake.usecases.commands.where import Where
from keepsake.usecases.extraction.apply_decisions import Applied, Write
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.proposals import Proposal

CONFIRMED = 1.0
"""How sure a memory is that the person asked for."""


async def remember(where: Where, text: str, *, is_persona_only: bool = False) -> Outcome:
    """Remember what a statement says; ``refused`` with a reason where that may not be, and never with its words.

    With ``only_here`` it is for this persona alone.
    """
    if not where.building:
        return Outcome("paused", reason="paused")
    if is_persona_only and where.persona_id is None:
        return Outcome("refused", reason="no_persona")
    found = await statements(where, text)
    if not found:
        return Outcome("refused", reason="no_statement")
    persona_id = where.persona_id if is_persona_only else None
    candidates = [replace(one, confidence=CONFIRMED, corrects=True, persona_id=persona_id) for one in found]
    async with operation(where.conn, actor=where.actor, reason="remember") as op:
        write = Write(where.conn, where.turn(text), Source.USER, where.actor, op.id, where.now)
        applied = await merge_proposal(write, Proposal("rules", Source.USER, candidates))
    ids = [*(made.memory.id for made in applied.made), *applied.known]
    made = await commands.memories_by_id(where.conn, user_id=where.user_id, ids=ids)
    if not applied.changed and made:
        return Outcome("done", tuple(made), reason="known")
    if not applied.changed:
        return Outcome("refused", reason=_why_not(applied))
    return Outcome("done", tuple(made), op.id)


async def statements(where: Where, text: str) -> list[Candidate]:
    """What is said in words that ask to be remembered: what the rules read in them, else all of them."""
    found = await stated(where, text)
    if found:
        return list(top_candidates(found))
    try:
        whole = await where.readers.run(parse_statement, text)
    except DeadlineExceeded:
        return []
    return [whole] if whole else []


async def stated(where: Where, text: str) -> list[Candidate]:
    """What the rules read in a text; what cannot be read in time states nothing."""
    try:
        return await where.readers.run(rules.extract, text, said_at=where.said_at)
    except DeadlineExceeded:
        return []


def _why_not(applied: Applied) -> str:
    """The reason that weighs most, where several candidates were dropped for several."""
    for reason in ("secret", "instruction", "type_not_allowed", "bad_characters", "bad_length", "older"):
        if applied.dropped[reason]:
            return reason
    return "no_statement"
