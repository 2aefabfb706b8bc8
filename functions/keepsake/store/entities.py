"""The entities of a person: people, places, organizations and projects that memories are about."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import args_row

from keepsake.domain.entities.alias_candidates import AliasCandidate
from keepsake.domain.entities.entity import Entity
from keepsake.infra.database import Connection, queries

_SQL = queries.load("entities")
_FAMILY = [
    *("mother", "father", "parent", "sister", "brother", "sibling", "son", "daughter", "child", "wife", "husband"),
    *("spouse", "aunt", "uncle", "cousin", "niece", "nephew", "grandmother", "grandfather", "grandchild", "twin"),
]
"""Family relations: a sister and a boss are never the same person under two names."""


async def find_entities(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[Entity]:
    """The entities that the memories of a profile are about."""
    return await _SQL["entities_of_profile"].all(conn, args_row(entity_from), user_id=user_id, profile_id=profile_id)


async def merge_relative(conn: Connection, *, user_id: UUID, profile_id: UUID, relation: str, named: str) -> None:
    """Merge a relative without a name into the entity with this name, within the operation that has begun."""
    await _SQL["merge_relative"].execute(conn, user_id=user_id, profile_id=profile_id, relation=relation, named=named)


async def propose_alias(conn: Connection, variant: AliasCandidate, *, user_id: UUID, profile_id: UUID) -> bool:
    """Propose two names as one entity to the person; False where that was proposed or rejected before."""
    proposed = await _SQL["propose_alias"].value(
        conn,
        user_id=user_id,
        profile_id=profile_id,
        key=variant.key,
        variant=variant.variant,
        similarity=variant.similarity,
        family=_FAMILY,
    )
    return proposed is not None


def entity_from(key: str, label: str, aliases: Sequence[str]) -> Entity:
    """The entity of a row of key, label and aliases."""
    return Entity(key, label, tuple(aliases))
