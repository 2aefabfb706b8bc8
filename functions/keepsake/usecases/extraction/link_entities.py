"""What a statement means for whom it names: whose name was learnt with it, and which names may be one."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.entities.alias_candidates import find_alias_candidates
from keepsake.domain.entities.entity import SELF, Entity, name_learned
from keepsake.domain.memory import Candidate, Memory
from keepsake.infra.database import Connection
from keepsake.store import entities
from keepsake.store.locks import lock_profile, lock_profile_entities
from keepsake.store.operations import operation
from keepsake.usecases.extraction.apply_decisions import Write

MOST_PROPOSED = 3
"""Variants of one new name that a person is asked about."""


async def lock_named(
    conn: Connection, candidates: Sequence[Candidate], *, user_id: UUID, profile_id: UUID
) -> list[Entity]:
    """Wait for the profile's other merges; and whom its memories name, where the candidates name anybody."""
    if any(set(candidate.entity_refs) - {SELF} for candidate in candidates):
        return await lock_profile_entities(conn, user_id=user_id, profile_id=profile_id)
    await lock_profile(conn, user_id=user_id, profile_id=profile_id)
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
    learnt = {pair for candidate in stored if (pair := name_learned(candidate, known))} if write.is_person else ()
    for relation, name in learnt:
        if relation in keys:
            explanation = f"{name} is the only {relation.partition(':')[2]} known"
            async with operation(conn, actor=write.actor, reason=explanation, id=write.operation_id):
                await entities.join_relative(
                    conn, user_id=user_id, profile_id=profile_id, relation=relation, named=name
                )
    for new in sorted({ref for candidate in stored for ref in candidate.entity_refs} - keys):
        for variant in find_alias_candidates(new, named)[:MOST_PROPOSED]:
            await entities.propose(conn, variant, user_id=user_id, profile_id=profile_id)
