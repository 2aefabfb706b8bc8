"""The people, places, organizations and projects a person's memories are about."""

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
"""Ties that nobody else has by chance: whoever is one's sister is not one's boss under another name."""


async def known(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[Entity]:
    """Everybody and everything the memories of a profile are about."""
    return await _SQL["entities_of_profile"].all(conn, args_row(entity_from), user_id=user_id, profile_id=profile_id)


async def join_relative(conn: Connection, *, user_id: UUID, profile_id: UUID, relation: str, named: str) -> None:
    """Make what was said of a relative that of the one of this name, within the operation that has begun."""
    await _SQL["merge_relative"].execute(conn, user_id=user_id, profile_id=profile_id, relation=relation, named=named)


async def propose(conn: Connection, variant: AliasCandidate, *, user_id: UUID, profile_id: UUID) -> bool:
    """Ask the person whether two names are one; False where that was asked before, or is known not to be."""
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
