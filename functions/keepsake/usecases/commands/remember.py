"""Remembers a statement because the person asked for it: what the rules find in it, else all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.commands.outcome import Outcome
from keepsake.domain.commands.statement_to_memory import parse_statement
from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.memory import Candidate, Source
from keepsake.domain.reading.statements import extract, language_of, read_other_language
from keepsake.infra.readers import Readers
from keepsake.store import memories
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.proposals import Proposal

CONFIRMED = 1.0
"""The confidence of a memory that the person asked for."""


async def remember(
    writer: MemoryWriter, readers: Readers, text: str, *, said: str = "", is_persona_only: bool = False
) -> Outcome:
    """Remember a statement, and what else is ``said`` with it; for this persona alone with ``is_persona_only``.

    The outcome is ``refused`` with a reason, and never with the words, where the statement may not be remembered.
    """
    persona_id = writer.origin.persona_id if is_persona_only else None
    if is_persona_only and persona_id is None:
        return Outcome("refused", reason="no_persona")
    found = await find_statements(readers, text)
    if not found:
        return Outcome("refused", reason="no_statement")
    found += [one for one in await _read(readers, said) if one.quote not in text]
    candidates = [replace(one, confidence=CONFIRMED, corrects=True, persona_id=persona_id) for one in found]
    async with writer.begin_merge("remember") as op:
        merged = await merge_proposal(writer, Proposal("rules", Source.USER, candidates), said or text)
    ids = [*merged.stored_ids, *merged.already_known]
    stored = tuple(await memories.by_id(writer.conn, user_id=writer.user_id, ids=ids))
    if merged.changed:
        return Outcome("done", stored, op.id)
    if stored:
        return Outcome("done", stored, reason="known")
    return Outcome("refused", reason=merged.main_drop_reason)


async def find_statements(readers: Readers, text: str) -> list[Candidate]:
    """What the rules find in a text that is to be remembered; where they find nothing, the whole text."""
    if found := await _read(readers, text):
        return list(top_candidates(found))
    statement = await readers.run_or(None, parse_statement, text, language=language_of(text))
    return [statement] if statement else []


async def _read(readers: Readers, text: str) -> Sequence[Candidate]:
    unread: tuple[Candidate, ...] = ()
    return await readers.run_or([], extract, text) or await readers.run_or(unread, read_other_language, text)
