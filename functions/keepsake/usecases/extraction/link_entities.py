"""Links what a statement says about a person to a name, and proposes names that may be the same entity."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.entities.alias_candidates import find_alias_candidates
from keepsake.domain.entities.entity import Entity
from keepsake.domain.entities.resolve_references import name_learned
from keepsake.domain.memory import Candidate, Memory
from keepsake.store import entities
from keepsake.store.operations import MemoryWriter

MAX_PROPOSED = 3
"""Alias candidates of one new name that the person is asked about."""


async def link_entities(
    writer: MemoryWriter, stored: Sequence[Candidate], named: Sequence[Entity], existing: Sequence[Memory]
) -> None:
    """Merge "my sister" into Anna once she is named, and propose new names that resemble known ones.

    An agent merges nothing, because that would change what the person said about her.
    """
    conn, user_id, profile_id = writer.conn, writer.user_id, writer.profile_id
    keys = {entity.key for entity in named}
    pairs = (
        {pair for candidate in stored if (pair := name_learned(candidate, existing))} if writer.has_authority else ()
    )
    for relation, name in pairs:
        if relation in keys:
            async with writer.begin_merge(f"{name} is the only {relation.partition(':')[2]} known"):
                await entities.merge_relative(
                    conn, user_id=user_id, profile_id=profile_id, relation=relation, named=name
                )
    for new in sorted({ref for candidate in stored for ref in candidate.entity_refs} - keys):
        for variant in find_alias_candidates(new, named)[:MAX_PROPOSED]:
            await entities.propose_alias(conn, variant, user_id=user_id, profile_id=profile_id)
