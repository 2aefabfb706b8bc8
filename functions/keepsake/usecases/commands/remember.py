"""Remembers a statement because the person asked for it: what the rules find in it, else all of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from keepsake.domain.commands import Outcome
from keepsake.domain.commands.statement_to_memory import parse_statement
from keepsake.domain.extraction import rules
from keepsake.domain.extraction.rules.engine import top_candidates
from keepsake.domain.memory import Candidate, Source
from keepsake.infra.message_readers import DeadlineExceeded, Readers
from keepsake.store import chat_commands
from keepsake.store.memory_writer import MemoryWriter
from keepsake.usecases.extraction.apply_decisions import main_drop_reason
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.proposals import Proposal

CONFIRMED = 1.0
"""The confidence of a memory that the person asked for."""


async def remember(writer: MemoryWriter, readers: Readers, text: str, *, is_persona_only: bool = False) -> Outcome:
    """Remember a statement, for this persona alone with ``only_here``.

    The outcome is ``refused`` with a reason, and never with the words, where the statement may not be remembered.
    """
    persona_id = writer.origin.persona_id if is_persona_only else None
    if is_persona_only and persona_id is None:
        return Outcome("refused", reason="no_persona")
    found = await find_statements(readers, text, writer.origin.said_at)
    if not found:
        return Outcome("refused", reason="no_statement")
    candidates = [replace(one, confidence=CONFIRMED, corrects=True, persona_id=persona_id) for one in found]
    async with writer.begin_merge("remember") as op:
        merged = await merge_proposal(writer, Proposal("rules", Source.USER, candidates), text)
    ids = [*merged.stored_ids, *merged.already_known]
    memories = tuple(await chat_commands.memories_by_id(writer.conn, user_id=writer.user_id, ids=ids))
    if merged.changed:
        return Outcome("done", memories, op.id)
    if memories:
        return Outcome("done", memories, reason="known")
    return Outcome("refused", reason=main_drop_reason(merged))


async def find_statements(readers: Readers, text: str, said_at: datetime) -> list[Candidate]:
    """What the rules find in a text that is to be remembered; where they find nothing, the whole text."""
    found = await extract_by_rules(readers, text, said_at)
    if found:
        return list(top_candidates(found))
    try:
        statement = await readers.run(parse_statement, text)
    except DeadlineExceeded:
        return []
    return [statement] if statement else []


async def extract_by_rules(readers: Readers, text: str, said_at: datetime) -> list[Candidate]:
    """What the rules find in a text; nothing where they take too long."""
    try:
        return await readers.run(rules.extract, text, said_at=said_at)
    except DeadlineExceeded:
        return []
