"""Asks for the memories that the changes of a message may mean, and finds what the changes do to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.find_changes import FoundChanges, find_changes
from keepsake.domain.merging.changes.life_changes import parts_of_unnamed
from keepsake.domain.merging.merge_scope import prefixes_of_births, prefixes_of_changes
from keepsake.infra.database import Answer
from keepsake.store import memories
from keepsake.store.locks import lock_profile_of
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.extraction.proposals import Proposal

_AWAITED = "pregnant expecting baby"
"""Words of memories that a birth ends, where neither their keys nor the words of the message find them."""


async def request_affected_by_changes(writer: MemoryWriter, proposal: Proposal) -> Answer[Memory]:
    """Lock the profile, and ask for the memories that the changes of the person's own message may mean."""
    await lock_profile_of(writer)
    is_birth = any(statement.birth for statement in proposal.changes)
    texts = [f"{statement.clause.words} {statement.clause.quote}" for statement in proposal.changes]
    prefixes = prefixes_of_changes({part for statement in proposal.changes for part in parts_of_unnamed(statement)})
    return await memories.request_mentioned(
        writer,
        texts=[*texts, _AWAITED] if is_birth else texts,
        prefixes=(*prefixes, *prefixes_of_births()) if is_birth else prefixes,
        ids=[meant for statement in proposal.changes for meant in (*statement.taken_back, *statement.last)],
        persona_id=proposal.persona_id,
    )


def find_affected_by_changes(writer: MemoryWriter, proposal: Proposal, known: Sequence[Memory]) -> FoundChanges:
    """What the changes of the message do to these memories."""
    found = find_changes(proposal.changes, known, said_at=writer.origin.said_at)
    found.candidates = [replace(candidate, persona_id=proposal.persona_id) for candidate in found.candidates]
    return found
