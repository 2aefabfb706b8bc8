"""The people, places, organisations and projects a person's memories are about."""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.entities import Entity
from keepsake.domain.entity_variants import Variant
from keepsake.infra.database import Connection, queries

_SQL = queries.load("entities")
_FAMILY = [
    *("mother", "father", "parent", "sister", "brother", "sibling", "son", "daughter", "child", "wife", "husband"),
    *("spouse", "aunt", "uncle", "cousin", "niece", "nephew", "grandmother", "grandfather", "grandchild", "twin"),
]
"""Ties that nobody else has by chance: whoever is one's sister is not one's boss under another name."""


async def lock_and_read(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[Entity]:
    """Wait until nobody else merges into this profile, as ``memories.lock_profile`` does; then everybody it names."""
    return await _read(conn, "lock_and_read_entities", user_id, profile_id)


async def known(conn: Connection, *, user_id: UUID, profile_id: UUID) -> list[Entity]:
    """Everybody and everything the memories of a profile are about."""
    return await _read(conn, "entities_of_profile", user_id, profile_id)


async def join_relative(conn: Connection, *, user_id: UUID, profile_id: UUID, relation: str, named: str) -> None:
    """Make what was said of a relative that of the one of this name, within the operation that has begun."""
    given = {"user_id": user_id, "profile_id": profile_id, "relation": relation, "named": named}
    await conn.execute(_SQL["join_relative"].sql, given)


async def propose(conn: Connection, variant: Variant, *, user_id: UUID, profile_id: UUID) -> bool:
    """Ask the person whether two names are one; False where that was asked before, or is known not to be."""
    given = {
        "user_id": user_id,
        "profile_id": profile_id,
        "key": variant.key,
        "variant": variant.variant,
        "similarity": variant.similarity,
        "family": _FAMILY,
    }
    return await (await conn.execute(_SQL["propose_alias"].sql, given)).fetchone() is not None


async def _read(conn: Connection, name: str, user_id: UUID, profile_id: UUID) -> list[Entity]:
    given = {"user_id": user_id, "profile_id": profile_id}
    rows = await (await conn.execute(_SQL[name].sql, given)).fetchall()
    return [Entity(row["key"], row["label"], tuple(row["aliases"])) for row in rows]
