"""What a statement means for whom it names: whose name was learnt with it, and which names may be one."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.entities.alias_candidates import variants
from keepsake.domain.entities.entity import SELF, Entity, learnt_name
from keepsake.domain.memory import Candidate, Memory
from keepsake.infra.db import Connection
from keepsake.store import entities, memories
from keepsake.usecases.extraction.apply_decisions import Write

MOST_PROPOSED = 3
"""Variants of one new name that a person is asked about."""


async def hold_profile(
    conn: Connection, candidates: Sequence[Candidate], *, user_id: UUID, profile_id: UUID
) -> list[Entity]:
    """Wait for the profile's other merges; and whom its memories name, where the candidates name anybody."""
    if any(set(candidate.entity_refs) - {SELF} for candidate in candidates):
        return await entities.lock_and_read(conn, user_id=user_id, profile_id=profile_id)
    await memories.lock_profile(conn, user_id=user_id, profile_id=profile_id)
    return []


async def follow_names(
    write: Write, stored: Sequence[Candidate], named: Sequence[Entity], known: Sequence[Memory]
) -> None:
    """Join what was said of "my sister" to Anna, once she is named; and ask about names that are like known ones.

    An agent joins nothing: that would change what the person said of her.
    """
    conn, user_id, profile_id = write.conn, write.turn.facts.author, write.turn.facts.profile_id
    if user_id is None or profile_id is None:
        return
    keys = {entity.key for entity in named}
    learnt = {pair for candidate in stored if (pair := learnt_name(candidate, known))} if write.is_person else ()
    for relation, name in learnt:
        if relation in keys:
            because = f"{name} is the only {relation.partition(':')[2]} known"
            await memories.begin_operation(conn, operation_id=write.operation_id, actor=write.actor, reason=because)
            await entities.join_relative(conn, user_id=user_id, profile_id=profile_id, relation=relation, named=name)
    for new in sorted({ref for candidate in stored for ref in candidate.entity_refs} - keys):
        for variant in variants(new, named)[:MOST_PROPOSED]:
            await entities.propose(conn, variant, user_id=user_id, profile_id=profile_id)
