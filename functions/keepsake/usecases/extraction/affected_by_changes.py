"""Reads the memories that the changes of a message may mean, and finds what the changes do to them."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.merging.changes.change_rules.change_rules import RULES
from keepsake.domain.merging.changes.find_changes import FoundChanges, find_changes
from keepsake.domain.merging.merge_scope import prefixes_of_changes
from keepsake.store import memories
from keepsake.store.locks import lock_profile_of
from keepsake.store.operations import MemoryWriter
from keepsake.usecases.extraction.proposals import Proposal


async def read_affected_by_changes(writer: MemoryWriter, proposal: Proposal) -> FoundChanges:
    """What the changes of the person's own message do to stored memories."""
    await lock_profile_of(writer)
    matched = [RULES[match.rule_index] for statement in proposal.changes for match in statement.matches]
    known = await memories.mentioned(
        writer,
        texts=[
            *(f"{statement.clause.words} {statement.clause.quote}" for statement in proposal.changes),
            *(rule.reads for rule in matched),
        ],
        prefixes=prefixes_of_changes(matched, {part for statement in proposal.changes for part in statement.parts}),
        ids=[meant for statement in proposal.changes for meant in (*statement.taken_back, *statement.last)],
        persona_id=proposal.persona_id,
    )
    found = find_changes(proposal.changes, known, said_at=writer.origin.said_at, stated=proposal.candidates)
    found.candidates = [replace(candidate, persona_id=proposal.persona_id) for candidate in found.candidates]
    return found
